// The page: what is asked of which table goes to a worker, and its answer is shown. program.js or boards.js, which
// release/web makes, has the examples, and calls begin with the worker and the program.
"use strict";

const of = (id) => document.getElementById(id);
const form = of("options");

// The examples with the options that they need.
const examples = {
  "search results": ["train.txt", { metric: "ndcg@10" }],
  patients: ["patients.csv", { "label-column": "diagnosis", positive: "tumor" }],
  "survival times": ["survival.csv", { time: "months", event: "died", "factor-columns": "stage,therapy" }],
  votes: ["games.csv", { loss: "logistic", "hold-out": "pair" }],
  "scores of models": ["results.csv", { cluster: "suite", against: "old" }],
};

const samples = {}; // the texts of the examples, by name
let module; // a promise of the compiled program
let source; // the text of the worker
let worker; // that answers, or null
let file; // { name, bytes }
let links = []; // that were made for the answer

const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

// begin unpacks the program, base64 of LZMA, which has size bytes.
function begin(workerText, packed, size) {
  for (const [name, [table, options]] of Object.entries(examples).filter(([, [table]]) => samples[table])) {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: name });
    button.addEventListener("click", () => take(table, bytesOf(samples[table]), options));
    of("samples").append(button);
  }
  source = URL.createObjectURL(new Blob([bytesOf(workerText)], { type: "text/javascript" }));
  const unpacking = new Worker(source);
  module = new Promise((good, bad) => {
    unpacking.onmessage = ({ data }) => (data.module ? good(data.module) : bad(data.fault));
    unpacking.onerror = (event) => bad(event.message);
  });
  unpacking.postMessage({ packed, size });
  module.then(warm, (fault) => wrong("This browser cannot run the program: " + fault))
    .finally(() => unpacking.terminate());
}

// warm asks about a small table: a browser compiles a function when it is first called, and keeps what it compiled.
function warm(compiled) {
  if (file) return;
  const rows = form.querySelector("[data-verb=cv]");
  const text = rows ? "qid,label,a,b\n1,0,1,2\n1,1,3,1\n1,2,2,2\n2,0,5,1\n2,1,2,4\n3,1,1,1\n3,0,3,2\n"
    : "left,right,winner\na,b,a\nb,c,b\nc,a,a\n";
  const mine = (worker = new Worker(source));
  mine.onmessage = ({ data }) => {
    if (mine !== worker || data.doing) return;
    stop();
    doing("Ready.");
  };
  mine.postMessage({ module: compiled, args: ["find", "small.csv"], table: new TextEncoder().encode(text) });
}

function doing(text, running = false) {
  of("doing").textContent = text;
  of("cancel").hidden = !running;
}

function wrong(text) {
  of("error").textContent = text;
  of("error").hidden = false;
}

// take asks about another table.
function take(name, bytes, options = {}) {
  file = { name, bytes };
  form.reset();
  for (const field of form.querySelectorAll("[data-option]")) {
    if (options[field.dataset.option]) field.value = options[field.dataset.option];
  }
  of("more").hidden = false;
  for (const set of form.querySelectorAll("fieldset")) set.hidden = false;
  of("columns").replaceChildren();
  ask();
}

// asked are the options of the fields that are shown.
function asked() {
  const args = [];
  for (const field of form.querySelectorAll("fieldset:not([hidden]) [data-option]")) {
    if (field.type === "checkbox") {
      if (field.checked) args.push("--" + field.dataset.option);
    } else if (field.value.trim()) {
      args.push("--" + field.dataset.option, field.value.trim());
    }
  }
  return args;
}

function stop() {
  if (worker) worker.terminate();
  worker = null;
}

async function ask() {
  stop();
  of("error").hidden = true;
  of("answer").hidden = true;
  document.body.dataset.state = "asking";
  doing(`Reading ${file.name} …`, true);
  const began = performance.now();
  let first; // when there was an answer
  const mine = (worker = new Worker(source));
  const ended = (text, state) => {
    stop();
    doing(text);
    document.body.dataset.state = state;
  };
  mine.onmessage = ({ data }) => {
    if (mine !== worker) return;
    if (data.doing) return doing(data.doing + " …", true);
    if (data.fault) {
      wrong(data.fault);
      return ended("", "wrong");
    }
    show(data.answer);
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    if (data.answer.Error) return ended("", "wrong");
    first ||= seconds;
    document.body.dataset.first = first;
    if (!data.answer.More) ended(`${file.name}: the error after ${first} s, all after ${seconds} s.`, "answered");
  };
  mine.onerror = (event) => {
    wrong("The worker cannot start: " + event.message);
    ended("", "wrong");
  };
  const compiled = await module;
  if (mine === worker) mine.postMessage({ module: compiled, args: [form.elements.verb.value, file.name, ...asked()],
    table: file.bytes });
}

// link gives a link the file that it saves.
function link(id, text, type) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  links.push(address);
  of(id).href = address;
}

const field = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

// show shows an answer, and lists the columns for the next question.
function show(answer) {
  for (const set of form.querySelectorAll("fieldset")) set.hidden = set.dataset.verb !== answer.Verb;
  of("columns").replaceChildren(...(answer.Columns || []).map((name) => new Option(name)));
  if (answer.Error) {
    of("more").open = true;
    return wrong(answer.Error);
  }
  links.forEach((address) => URL.revokeObjectURL(address));
  links = [];
  of("command").textContent = answer.Command;
  of("notes").replaceChildren(...(answer.Notes || []).map((note) => {
    const item = document.createElement("li");
    item.className = note.warning ? "warning" : "note";
    item.textContent = note.text;
    return item;
  }));
  of("page").srcdoc = answer.Page;
  link("save-page", answer.Page, "text/html");
  const ranking = answer.Ranking || [];
  of("ranking").hidden = of("save-ranking").hidden = ranking.length === 0;
  link("save-ranking", ranking.map((line) => line.map(field).join(",") + "\n").join(""), "text/csv");
  of("ranking").querySelector("table").replaceChildren(...ranking.slice(0, 201).map((line, k) => {
    const row = document.createElement("tr");
    for (const text of line) row.append(Object.assign(document.createElement(k ? "td" : "th"), { textContent: text }));
    return row;
  }));
  of("answer").hidden = false;
}

// fit makes the frame as high as the report in it.
function fit() {
  const inside = of("page").contentDocument;
  if (inside && inside.body) of("page").style.height = inside.documentElement.getBoundingClientRect().height + 2 + "px";
}
const sizes = new ResizeObserver(fit);
of("page").addEventListener("load", () => {
  sizes.disconnect();
  sizes.observe(of("page").contentDocument.documentElement);
});

async function open(chosen) {
  if (chosen) take(chosen.name, new Uint8Array(await chosen.arrayBuffer()));
}
of("file").addEventListener("change", (event) => {
  open(event.target.files[0]);
  event.target.value = "";
});
const over = (is) => (event) => {
  event.preventDefault();
  of("drop").classList.toggle("over", is);
};
document.addEventListener("dragover", over(true));
document.addEventListener("dragleave", over(false));
document.addEventListener("drop", (event) => {
  over(false)(event);
  open(event.dataTransfer.files[0]);
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  ask();
});
form.elements.verb.addEventListener("change", () => {
  for (const set of form.querySelectorAll("fieldset")) {
    set.hidden = form.elements.verb.value !== "find" && set.dataset.verb !== form.elements.verb.value;
  }
});
of("cancel").addEventListener("click", () => {
  stop();
  doing("Cancelled.");
  document.body.dataset.state = "cancelled";
});

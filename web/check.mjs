// Looks at the playground in headless Chromium, from files and from a server:
//
//	node web/check.mjs FOLDER PROGRAM [PICTURES]
//
// Each example must give the page that PROGRAM writes for the same file, byte for byte but for the times of the run and
// tenths of pixels; a faulty file its error; and once the page is loaded there must be no request. The files of a page,
// compressed, have a bound. PICTURES is a folder for screenshots of 400 and 1200 pixels, light and dark.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync, copyFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";

const [folder, program, pictures] = process.argv.slice(2).map((path) => resolve(path));
const place = mkdtempSync(join(tmpdir(), "web-"));
const browser = spawn("chromium", ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
  "--no-first-run", `--user-data-dir=${join(place, "profile")}`, "about:blank"],
{ stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
const waiting = new Map(), events = [];
let rest = "", last = 0, session;
browser.stdio[4].on("data", (part) => {
  const parts = (rest + part).split("\0");
  rest = parts.pop();
  for (const message of parts.map((text) => JSON.parse(text))) {
    if (!message.id) events.push(message);
    else {
      const { good, bad } = waiting.get(message.id);
      message.error ? bad(new Error(message.error.message)) : good(message.result);
    }
  }
});
const call = (method, params = {}) => new Promise((good, bad) => {
  waiting.set(++last, { good, bad });
  browser.stdio[3].write(JSON.stringify({ id: last, method, params, sessionId: session }) + "\0");
});
const evaluate = async (expression) => {
  const { result, exceptionDetails } = await call("Runtime.evaluate",
    { expression, awaitPromise: true, returnByValue: true });
  if (exceptionDetails) throw new Error(expression + ": " + JSON.stringify(exceptionDetails.exception));
  return result.value;
};
const until = async (expression) => {
  for (const end = Date.now() + 120_000; Date.now() < end; await new Promise((go) => setTimeout(go, 20))) {
    const value = await evaluate(expression);
    if (value) return value;
  }
  throw new Error(expression + " does not come");
};
const must = (is, text) => { if (!is) throw new Error(text); };
const requests = () => events.filter((e) => e.method === "Network.requestWillBeSent").map((e) => e.params.request.url)
  .filter((url) => !/^(blob|data|about):/.test(url));
const timeless = (page) => page.replace(/<dt>seconds<\/dt><dd>.*<\/dd>/g, "");
// A place in a drawing may be a tenth of a pixel off: the exponential function of processors differs in its last digit.
const drawn = / (d|x|y|x1|x2|y1|y2|cx|cy|width|height)="([^"]*)"/g;
const places = (line) => [...line.matchAll(drawn)].flatMap((found) => found[2].match(/-?[\d.]+/g) || []);
const alike = (a = "", b) => a === b || a.replace(drawn, "") === b.replace(drawn, "") &&
  places(a).every((v, k) => Math.abs(v - places(b)[k]) < 0.11);

// ofProgram is the page of a command of the program, and the first line of its error.
function ofProgram(command, table, name) {
  copyFileSync(table, join(place, name));
  const ran = spawnSync("sh", ["-c", command.replace(/^pairrank/, `"${program}"`)], { cwd: place,
    env: { ...process.env, PAIRRANK_KERNEL: "go" } });
  const error = ran.stderr.toString().split("\n").find((line) => /^pairrank: (?!note|warning)/.test(line));
  return { page: ran.status ? "" : readFileSync(join(place, "report.html"), "utf8"), error };
}

async function picture(name) {
  if (!pictures) return;
  for (const scheme of ["light", "dark"]) for (const width of [400, 1200]) {
    await call("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: scheme }] });
    await call("Emulation.setDeviceMetricsOverride", { width, height: 900, deviceScaleFactor: 1, mobile: false });
    await new Promise((go) => setTimeout(go, 300));
    const over = await evaluate("document.documentElement.scrollWidth - innerWidth");
    must(over <= 0, `${name} is ${over} pixels wider than ${width}`);
    const { data } = await call("Page.captureScreenshot", { captureBeyondViewport: true });
    writeFileSync(join(pictures, `${name}-${scheme}-${width}.png`), Buffer.from(data, "base64"));
  }
}

const tables = { "train.txt": "examples/letor/train.txt", "patients.csv": "examples/patients.csv",
  "survival.csv": "examples/survival.csv", "games.csv": "examples/leaderboard/games.csv",
  "results.csv": "examples/evaluations/results.csv" };
const faulty = { "rows.csv": "qid,label,x\n1,0,2\n1,1,two\n", "votes.csv": "left,right,winner\na,b,a\na,b,c\n" };
const most = { "index.html": 4e6, "boards.html": 1.6e6 }; // bytes of a page

async function look(root, from, html) {
  const address = root + html, began = performance.now();
  events.length = 0;
  await call("Page.navigate", { url: address });
  await until("document.readyState === 'complete' && document.getElementById('doing').textContent === 'Ready.'");
  const loading = requests(), seconds = ((performance.now() - began) / 1000).toFixed(1);
  const files = loading.map((url) => url.split("/").pop());
  const bytes = files.reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name))).length, 0);
  console.log(`from ${from}: ${loading.length} requests: ${files.join(" ")}; ${bytes} bytes, ready after ${seconds} s`);
  must(bytes <= most[html], `${html} has more than ${most[html]} bytes`);
  const buttons = "[...document.querySelectorAll('#samples button')]";
  const offered = await evaluate(`${buttons}.map((button) => button.textContent)`);
  for (const [name, [table]] of Object.entries(await evaluate("examples")).filter(([name]) => offered.includes(name))) {
    await evaluate(`${buttons}.find((button) => button.textContent === "${name}").click()`);
    const state = await until("document.body.dataset.state !== 'asking' && document.body.dataset.state");
    must(state === "answered", name + ": " + await evaluate("document.getElementById('error').textContent"));
    const { page } = ofProgram(await evaluate("document.getElementById('command').textContent"), tables[table], table);
    const shown = timeless(await evaluate("document.getElementById('page').srcdoc")).split("\n");
    const differs = timeless(page).split("\n").findIndex((line, k) => !alike(shown[k], line));
    must(differs < 0, `${name}: line ${differs + 1} of the page is not that of the program:\n${shown[differs]}`);
    const times = await evaluate("document.getElementById('doing').textContent");
    console.log(`  ${name}: the page of the program; ${times}`);
    if (from === "files" && html === "index.html") await picture(table.replace(/\..*/, ""));
  }
  for (const [name, text] of Object.entries(faulty)) {
    await evaluate(`take("${name}", new TextEncoder().encode(${JSON.stringify(text)}))`);
    await until("document.body.dataset.state === 'wrong'");
    const verb = name === "votes.csv" || html === "boards.html" ? "leaderboard" : "cv";
    writeFileSync(join(place, "faulty"), text);
    const { error } = ofProgram(`pairrank ${verb} ${name} --report report.html`, join(place, "faulty"), name);
    const told = await evaluate("document.getElementById('error').textContent");
    must("pairrank: " + told === error, `${name}: the page says\n${told}\nnot\n${error}`);
    console.log(`  ${told}`);
    if (from === "files") await picture(html.replace(/\..*/, "-faulty-") + name.replace(/\..*/, ""));
  }
  const sent = requests().slice(loading.length);
  must(sent.length === 0, "requests after loading: " + sent.join(" "));
  const leaves = await evaluate(`fetch("${address}").then(() => "sent", () => "refused")`);
  must(leaves === "refused", "the rules of the page let it send");
  console.log("  no request after loading, and none is possible");
}

const server = createServer((request, answer) => {
  const name = request.url.slice(1);
  const type = { html: "text/html", js: "text/javascript", css: "text/css" }[name.split(".").pop()];
  try {
    answer.writeHead(200, { "Content-Type": type }).end(readFileSync(join(folder, name)));
  } catch {
    answer.writeHead(404).end();
  }
});
let failed = false;
try {
  await new Promise((go) => server.listen(0, "127.0.0.1", go));
  const { targetId } = await call("Target.createTarget", { url: "about:blank" });
  ({ sessionId: session } = await call("Target.attachToTarget", { targetId, flatten: true }));
  await call("Emulation.setScrollbarsHidden", { hidden: true });
  for (const part of ["Network", "Page", "Runtime"]) await call(part + ".enable");
  for (const html of Object.keys(most)) {
    await look(`file://${folder}/`, "files", html);
    await look(`http://127.0.0.1:${server.address().port}/`, "a server", html);
  }
} catch (fault) {
  console.error(String(fault.message || fault));
  failed = true;
}
session = undefined;
call("Browser.close").catch(() => {});
await new Promise((go) => browser.on("exit", go));
server.close();
rmSync(place, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
process.exit(failed ? 1 : 0);

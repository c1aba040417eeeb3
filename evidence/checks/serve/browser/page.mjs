// Drives the page of pairrank serve in headless Chromium: paste, rank, explain, a reload seen,
// by keyboard, in both themes.
//
//   node page.mjs PROGRAM PLAYWRIGHT OUT [CHROMIUM]
//
// PLAYWRIGHT is a folder in which npm has installed playwright-core, OUT one for models and
// pictures. Prints a line for everything that holds; the first that does not ends it with 1.
import { execFileSync, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const [program, playwright, out, executablePath = "/usr/bin/chromium"] = process.argv.slice(2);
const { chromium } = createRequire(resolve(playwright, "package.json"))("playwright-core");
mkdirSync(out, { recursive: true });

const holds = (what, is) => {
  if (!is) throw new Error(what);
  console.log("ok    " + what);
};

// train makes the model of a sign: wines by what tasters say.
function train(sign) {
  const lines = ["label,acidity,sugar,alcohol"];
  for (let i = 0; i < 40; i++) {
    const [a, s, v] = [Math.sin(i), Math.cos(3 * i), Math.sin(7 * i + 1)];
    lines.push([sign * (2 * a - s + 0.5 * v), a, s, v].join(","));
  }
  writeFileSync(join(out, "wines.csv"), lines.join("\n") + "\n");
  execFileSync(program, ["train", "wines.csv", "--lambda", "0.01", "-o", "wines.model"],
    { cwd: out, stdio: ["ignore", "ignore", "inherit"] });
}

// trainPairs makes a model of edges.
function trainPairs() {
  writeFileSync(join(out, "drugs.tsv"),
    "id\tmass\tcharge\naspirin\t1.8\t0.1\nibuprofen\t2.1\t-0.4\nheparin\t4.0\t-2\n");
  writeFileSync(join(out, "targets.tsv"), "id\tlength\nCOX1\t0.6\nCOX2\t0.61\nFXa\t0.4\n");
  const edges = ["row_id\tcol_id\tvalue"];
  for (const [r, row] of [["aspirin", [3, 2, 0]], ["ibuprofen", [2, 3, 0]], ["heparin", [0, 0.5, 4]]])
    ["COX1", "COX2", "FXa"].forEach((c, k) => edges.push(`${r}\t${c}\t${row[k]}`));
  writeFileSync(join(out, "edges.tsv"), edges.join("\n") + "\n");
  execFileSync(program, ["train", "--edges", "edges.tsv", "--rows", "drugs.tsv", "--cols", "targets.tsv",
    "--row-kernel", "gaussian:gamma=0.5", "--col-kernel", "gaussian:gamma=20", "--lambda", "0.1", "-o", "drugs.model"],
    { cwd: out, stdio: ["ignore", "ignore", "inherit"] });
}

// serve starts the program and returns it with its address.
function serve() {
  const server = spawn(program, ["serve", "wines.model", "drugs.model", "--listen", "127.0.0.1:0", "--poll", "200ms"],
    { cwd: out, stdio: ["ignore", "ignore", "pipe"] });
  return new Promise((found, failed) => {
    let log = "";
    server.stderr.on("data", text => {
      log += text;
      const address = log.match(/address=(http:\S+)/);
      if (address) found({ server, url: address[1] });
    });
    server.on("exit", code => failed(new Error(`the server ended with ${code}: ${log}`)));
  });
}

const table = "id;acidity;vineyard;sugar;alcohol\nRiesling;0.9;north;-0.5;0.1\nTokaj;-0.2;east;0.9;0.3\n" +
  "\"Claret; old\";0.4;west;0;0.8\nPort;-0.8;south;0.7;0.9\n";

async function visit(browser, url, scheme) {
  const context = await browser.newContext({ colorScheme: scheme, viewport: { width: 1200, height: 1000 } });
  const page = await context.newPage();
  const faults = [], foreign = [];
  page.on("console", m => { if (m.type() === "error") faults.push(m.text()); });
  page.on("pageerror", e => faults.push(String(e)));
  page.on("request", r => { if (!r.url().startsWith(url) && !r.url().startsWith("data:")) foreign.push(r.url()); });
  await page.goto(url);
  await page.waitForFunction(() => document.querySelector("#facts").textContent.includes("version"));
  return { page, faults, foreign, context };
}

const places = page => page.$$eval("#places th", cells => cells.map(c => c.textContent));

async function rankAndExplain(page, scheme) {
  await page.getByLabel("Candidates: CSV, TSV or JSON with names, or LETOR text").fill(table);
  await page.getByRole("button", { name: "Rank", exact: true }).click();
  await page.waitForSelector("#places tr");
  const order = await places(page);
  holds(`${scheme}: four candidates are ranked, ${order.join(", ")}`,
    order.length === 4 && order[0] === "Riesling" && order.includes("Claret; old"));
  const status = await page.textContent("#status");
  holds(`${scheme}: the status tells it: ${status}`,
    status.includes("4 candidates ranked") && status.includes("vineyard"));
  holds(`${scheme}: the ranking has the focus`, await page.evaluate(() => document.activeElement.id === "result"));
  await page.screenshot({ path: join(out, `page-${scheme}-ranked.png`), fullPage: true });
  await page.getByRole("button", { name: `Why is ${order[1]} at place 2?` }).click();
  await page.waitForSelector("#parts tr");
  const title = await page.textContent("#why-title");
  holds(`${scheme}: an explanation, ${title}`, title === `Why ${order[1]} stands above ${order[2]}`);
  const sum = await page.$$eval("#parts tr",
    rows => rows.map(r => Number(r.children[3].textContent)).reduce((a, b) => a + b, 0));
  const told = Number((await page.textContent("#sum")).split("= ")[1]);
  holds(`${scheme}: its parts add up, ${sum.toFixed(3)} and ${told}`, Math.abs(sum - told) < 1e-3);
  await page.screenshot({ path: join(out, `page-${scheme}-explained.png`), fullPage: true });
  await page.getByLabel("Compared with").selectOption("-1");
  await page.waitForFunction(() => document.querySelector("#why-title").textContent.startsWith("What the score"));
  holds(`${scheme}: and of the score itself`,
    (await page.$$("#parts tr")).length === 2); // its sugar is 0 and adds nothing
  return order;
}

async function reloaded(page, before) {
  train(-1);
  await page.waitForFunction(() => document.querySelector("#status").textContent.includes("is another one now"),
    undefined, { timeout: 15000 });
  holds("a new model is seen: " + await page.textContent("#status"), true);
  await page.getByRole("button", { name: "Rank", exact: true }).click();
  await page.waitForFunction(first => document.querySelector("#places th").textContent !== first, before[0]);
  const after = await places(page);
  holds(`and turns the order round: ${after.join(", ")}`, after.join() === before.toReversed().join());
  train(1);
  await page.waitForFunction(() => document.querySelector("#status").textContent.includes("is another one now"),
    undefined, { timeout: 15000 });
}

async function byKeyboard(page) {
  await page.reload();
  await page.waitForFunction(() => document.querySelector("#facts").textContent.includes("version"));
  const stops = [];
  for (let k = 0; k < 7; k++) {
    await page.keyboard.press("Tab");
    stops.push(await page.evaluate(() => document.activeElement.id || document.activeElement.className));
    if (stops.at(-1) === "text") {
      await page.keyboard.insertText(table);
      const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
      holds("the focus is seen", outline === "solid");
    }
  }
  holds(`the tabulator visits ${stops.join(", ")}`,
    stops.join() === "skip,model,text,file,zero,rank,skip" ||
    stops.slice(0, 6).join() === "skip,model,text,file,zero,rank");
  await page.focus("#text");
  await page.keyboard.press("Control+Enter");
  await page.waitForSelector("#places tr");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement.id === "why");
  holds("ranked and explained without a mouse", true);
}

// named finds what a screen reader has no name for.
async function named(page) {
  const nameless = await page.$$eval("button, input, select, textarea",
    all => all.filter(e => e.checkVisibility()).filter(e =>
    !(e.labels?.length || e.getAttribute("aria-label") || e.textContent.trim())).map(e => e.outerHTML));
  holds("every control has a name" + nameless.join(), nameless.length === 0);
  const snapshot = await page.locator("body").ariaSnapshot();
  for (const part of ["heading \"Rank candidates\"", "form \"Candidates\"", "combobox \"Model\"",
    "textbox \"Candidates: CSV", "region \"Ranking\"", "columnheader \"Score\"", "rowheader \"Riesling\"", "status"]) {
    holds(`a screen reader is told of ${part}`, snapshot.includes(part));
  }
}

// fits pastes LETOR text of two queries with the ids of a collection, explains the second place at
// every width, and looks for what lies outside of its panel or breaks within a word.
async function fits(page, scheme) {
  const rows = [];
  for (let i = 0; i < 8; i++) {
    rows.push(`${i % 3} qid:${i < 5 ? "q-1" : "q-2"} 1:${Math.sin(i)} 2:${i / 7} 3:-0.0001234${i} ` +
      `#docid = clueweb09-en0000-${i}0-1234${i} inc = 1`);
  }
  for (const width of [400, 800, 1200, 1600]) {
    await page.setViewportSize({ width, height: 900 });
    await page.fill("#text", rows.join("\n"));
    await page.click("#rank");
    await page.waitForFunction(() => document.querySelectorAll("#places tr").length === 5);
    await page.click("#places tr:nth-child(2) button");
    await page.waitForSelector("#parts tr");
    const outside = await page.evaluate(() => {
      const found = document.documentElement.scrollWidth > innerWidth ? ["the page"] : [];
      for (const panel of document.querySelectorAll("form, section")) {
        const edge = panel.getBoundingClientRect().right;
        for (const e of panel.querySelectorAll("th, td, button, select, .bar i")) {
          const over = e.checkVisibility() && e.getBoundingClientRect().right > edge;
          if (over) found.push(`${e.tagName} ${e.textContent}`);
        }
      }
      for (const b of document.querySelectorAll("button")) {
        const high = b.checkVisibility() && b.getBoundingClientRect().height > 50;
        if (high) found.push(`a button of ${b.textContent}`);
      }
      return found;
    });
    holds(`${scheme}: all within its panel at ${width} px${outside.join()}`, outside.length === 0);
    await page.screenshot({ path: join(out, `page-${scheme}-${width}.png`), fullPage: true });
  }
  await page.getByLabel("Query").selectOption("q-2");
  await page.waitForFunction(() => document.querySelectorAll("#places tr").length === 3);
  holds(`${scheme}: LETOR text, a query at a time: ${await page.textContent("#status")}`,
    (await page.textContent("#status")).includes("3 candidates of query q-2, one of 2"));
  await page.setViewportSize({ width: 1200, height: 1000 });
}

async function faults(page) {
  await page.fill("#text", "acidity,sugar,alcohol\n1,x,3\n");
  await page.click("#rank");
  await page.waitForFunction(() => document.querySelector("#error").textContent !== "");
  holds("a fault is told: " + await page.textContent("#error"),
    (await page.textContent("#error")).includes("sugar is x"));
  await page.fill("#text", "acidity,sugar\n1,2\n");
  await page.click("#rank");
  await page.waitForFunction(() => document.querySelector("#error").textContent.includes("missing"));
  holds("a missing feature is told: " + (await page.textContent("#error")).replace("\n", "; "), true);
  await page.fill("#text", '[{"name":"A","acidity":1,"sugar":0,"alcohol":0},{"name":"B","acidity":2,"alcohol":0}]');
  await page.check("#zero");
  await page.click("#rank");
  await page.waitForFunction(() => document.querySelectorAll("#places tr").length === 2);
  holds("JSON with a missing value that counts as 0", (await places(page)).join() === "B,A");
}

async function pairs(page) {
  await page.getByLabel("Model").selectOption("drugs");
  await page.getByLabel("Given row node").fill("heparin");
  await page.getByLabel("Given row node").press("Enter");
  await page.waitForSelector("#places tr");
  const order = await places(page);
  holds(`column nodes for a row node: ${order.join(", ")}`, order[0] === "FXa");
  await page.getByRole("button", { name: "Why is FXa at place 1?" }).click();
  await page.waitForSelector("#why:not([hidden]) #parts tr");
  holds("explained by " + await page.textContent("#parts-caption"),
    (await page.textContent("#parts-caption")).includes("edge"));
  await page.screenshot({ path: join(out, "page-pairs.png"), fullPage: true });
}

train(1);
trainPairs();
const { server, url } = await serve();
server.removeAllListeners("exit");
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
let code = 0;
try {
  for (const scheme of ["light", "dark"]) {
    const v = await visit(browser, url, scheme);
    const order = await rankAndExplain(v.page, scheme);
    const ground = await v.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    holds(`${scheme}: the ground is ${ground}`,
      scheme === "light" ? ground === "rgb(251, 251, 250)" : ground === "rgb(20, 24, 28)");
    if (scheme === "light") {
      await reloaded(v.page, order);
      await byKeyboard(v.page);
      await named(v.page);
    } else {
      await pairs(v.page);
      await v.page.getByLabel("Model").selectOption("wines");
      await v.page.waitForFunction(() => document.querySelector("#facts").textContent.startsWith("wines"));
      await faults(v.page);
    }
    await fits(v.page, scheme);
    const told = v.faults.filter(f => !/status of 4\d\d/.test(f));
    holds(`${scheme}: no fault of the page, nothing from elsewhere` + told.join() + v.foreign.join(),
      told.length === 0 && v.foreign.length === 0);
    await v.context.close();
  }
} catch (error) {
  console.log("FAIL  " + error.message);
  code = 1;
} finally {
  await browser.close();
  server.kill("SIGTERM");
}
process.exit(code);

// Opens the page in Chromium, pastes rows, ranks them, and prints what it shows, in both themes.
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [, , program, page, rows, broken, pictures] = process.argv;
const browser = await chromium.launch({ executablePath: program, args: ["--no-sandbox"] });
const out = { requests: [], errors: [] };
for (const colorScheme of ["light", "dark"]) {
  const context = await browser.newContext({ colorScheme, viewport: { width: 900, height: 900 } });
  const tab = await context.newPage();
  tab.on("request", (r) => { if (!r.url().startsWith("file:")) out.requests.push(r.url()); });
  tab.on("pageerror", (e) => out.errors.push(String(e)));
  tab.on("console", (m) => { if (m.type() === "error") out.errors.push(m.text()); });
  await tab.goto(pathToFileURL(page).href);
  // by its label, then by the keyboard alone
  await tab.getByLabel("Rows, one a line").fill(await readFile(rows, "utf8"));
  await tab.keyboard.press("Tab"); // file
  await tab.keyboard.press("Tab"); // rank
  await tab.keyboard.press("Enter");
  await tab.getByRole("table").waitFor();
  out.status = await tab.getByRole("status").textContent();
  out.ranking = await tab.locator("tbody tr").evaluateAll((all) => all.map((tr) => ({ name: tr.cells[1].textContent,
    score: Number(tr.cells[2].title), why: tr.cells[3].textContent })));
  await tab.screenshot({ path: `${pictures}-${colorScheme}.png` });
  await tab.getByLabel("Rows, one a line").fill(await readFile(broken, "utf8"));
  await tab.getByRole("button", { name: "Rank", exact: true }).click();
  out.complaint = await tab.getByRole("status").textContent();
  out.left = await tab.getByRole("table").count();
  await context.close();
}
await browser.close();
console.log(JSON.stringify(out));

// Runs the graphs of jobs.json by onnxruntime-web and prints their scores, by file.
import { readFile } from "node:fs/promises";
import * as ort from "onnxruntime-web";

const jobs = JSON.parse(await readFile("jobs.json", "utf8"));
const out = {};
for (const { file, inputs } of jobs) {
  const session = await ort.InferenceSession.create(new Uint8Array(await readFile(file)));
  const feeds = {};
  for (const { name, dims, data } of inputs) feeds[name] = new ort.Tensor("float64", Float64Array.from(data), dims);
  const { score } = await session.run(feeds);
  if (score.type !== "float64") throw new Error(`${file}: scores of type ${score.type}`);
  out[file] = Array.from(score.data);
  await session.release();
}
console.log(JSON.stringify(out));

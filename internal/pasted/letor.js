// Rows of SVMlight and LETOR text: label qid:ID index:value … # docid = NAME

const token = /^(\d+):(\S*)$/;

// parts takes a line apart: its fields and its comment.
function parts(line) {
  const [fields, ...comment] = line.split("#");
  return [fields.trim().split(/\s+/).filter((field) => field !== ""), comment.join("#")];
}

// isLetor reports whether the first line that is no comment is a row of such text: a label, a
// query and features, of which a label or a query may be missing.
export function isLetor(text) {
  for (const match of text.matchAll(/[^\r\n]+/g)) {
    const [fields] = parts(match[0]);
    if (fields.length === 0) continue;
    const rest = Number.isFinite(Number(fields[0])) ? fields.slice(1) : fields;
    const isFeature = (field) => token.test(field) && (isMissing(token.exec(field)[2]) || Number.isFinite(Number(token.exec(field)[2])));
    return rest.length > 0 && rest.every((field, k) => (k === 0 && field.startsWith("qid:")) || isFeature(field));
  }
  return false;
}

function isMissing(value) {
  return value === "" || /^(nan|null)$/i.test(value);
}

// readLetor returns the rows of a text for a model of n features, whose indices count from first: {id, query, line, values},
// values with 0 for each feature that is left out and null for one that is missing. query is
// null where a row has none.
export function readLetor(text, n, first = 1) {
  const rows = [];
  for (const [k, line] of text.split(/\r?\n/).entries()) {
    const [fields, comment] = parts(line);
    if (fields.length === 0) continue;
    const fail = (what) => { throw new Error(`line ${k + 1}: ${what}`); };
    if (!fields[0].includes(":") && !Number.isFinite(Number(fields.shift()))) fail("the label is not a number");
    const query = fields[0]?.startsWith("qid:") ? fields.shift().slice("qid:".length) : null;
    const values = new Array(n).fill(0);
    let before = -1;
    for (const field of fields) {
      const [, index, value] = token.exec(field) ?? fail(`${JSON.stringify(field)} is not index:value`);
      const j = Number(index);
      if (j < first) fail(`feature ${j}, but features count from ${first}`);
      if (j - first >= n) fail(`feature ${j}, but the model has ${n} features`);
      if (j <= before) fail(`feature ${j} follows ${before}, but indices ascend`);
      before = j;
      values[j - first] = isMissing(value) ? null : Number(value);
      if (!Number.isFinite(Number(value)) && values[j - first] !== null || /^[+-]?0[xob]/i.test(value)) fail(`feature ${j} is ${value}, not a number`);
    }
    rows.push({ id: /\bdocid\s*=\s*(\S+)/.exec(comment)?.[1] ?? `line ${k + 1}`, query, line: k + 1, values });
  }
  if ((new Set(rows.map((row) => row.query === null))).size > 1) throw new Error("some rows have a qid and others have none");
  return rows;
}

// queriesOf are the queries of rows in their order, none where the rows are one list.
export function queriesOf(queries) {
  return [...new Set(queries)].filter((query) => query !== null);
}

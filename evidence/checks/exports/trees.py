# Scores the rows of jobs.json by the model files of XGBoost, and prints the lists of scores. XGBoost's own dump must have
# a tree a feature at most, and what it says of each feature must add up to the scores.
import json

import numpy as np
import xgboost

out = []
for job in json.load(open("jobs.json")):
    booster = xgboost.Booster(model_file=job["file"])
    rows = xgboost.DMatrix(np.array(job["rows"]), feature_names=booster.feature_names)
    scores = booster.predict(rows).astype(float)
    parts = booster.predict(rows, pred_contribs=True).sum(axis=1)
    if not np.allclose(parts, scores, rtol=1e-4, atol=1e-4 * np.abs(scores).max()):
        raise SystemExit(job["file"] + ": the parts do not add up to the scores")
    out.append(scores.tolist())
print(json.dumps(out))

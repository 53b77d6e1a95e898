//! Losses out of the lines that a training says.

export interface LossRow {
  step: number;
  loss: number;
  validation: number | null;
}

/** Reads lines such as `epoch 3: loss 0.21, validation 0.25`; others are passed over. */
export function lossRows(log: readonly string[]): LossRow[] {
  return log.flatMap((line) => {
    const loss = /\bloss[ =:]+([\d.]+(?:e-?\d+)?)/i.exec(line);
    const step = /\b(?:epoch|step|round|generation)s?[ =:#]+(\d+)/i.exec(line);
    if (!loss || !step) return [];
    const validation = /\b(?:validation|held[ -]out)\D*?([\d.]+(?:e-?\d+)?)/i.exec(line);
    return [{ step: Number(step[1]), loss: Number(loss[1]), validation: validation ? Number(validation[1]) : null }];
  });
}

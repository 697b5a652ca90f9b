// How loud a sound is, by ITU-R BS.1770, and what else measures samples; a render loads it for a loudness alone.
export { type Biquad, createFilter } from './sound/biquad.ts'
export { blocksOf, createLoudnessMeter, integrate, loudnessOf, maxShortTerm } from './sound/loudness.ts'
export { planLoudness } from './sound/plan-loudness.ts'
export { readSamples } from './sound/read-samples.ts'
export { createTruePeak } from './sound/true-peak.ts'

/** What a frame cost where it was measured, at 1920 × 1080 and at 3840 × 2160. */
interface MeasuredFrames {
  /** Seconds of one processor: in a composition that hardly changes, and in one that changes everywhere. */
  readonly cpuSeconds: { readonly low: readonly [number, number]; readonly high: readonly [number, number] }
  readonly bytes: { readonly low: readonly [number, number]; readonly high: readonly [number, number] }
}

/**
 * By format: measured by `npm run lab -- segment-times` on 2026-11-22, on a shared virtual machine with two processors (AMD EPYC, Node v20.20.2).
 * `low` is `static-slides` of bench/compositions, `high` is `full-motion`.
 */
export const measuredFrames: Readonly<Record<string, MeasuredFrames>> = {
  mp4: {
    cpuSeconds: { low: [0.0222, 0.0712], high: [0.14, 0.5261] },
    bytes: { low: [911, 1787], high: [20251, 47813] },
  },
  webm: {
    cpuSeconds: { low: [0.1369, 0.5185], high: [0.3431, 1.327] },
    bytes: { low: [1142, 2500], high: [21118, 43963] },
  },
  mov: {
    cpuSeconds: { low: [0.0097, 0.0255], high: [0.1231, 0.3972] },
    bytes: { low: [143339, 385060], high: [477568, 1173382] },
  },
  gif: {
    cpuSeconds: { low: [0.0982, 0.3758], high: [0.3639, 0.9994] },
    bytes: { low: [2987, 7761], high: [415779, 1380575] },
  },
  'png-sequence': {
    cpuSeconds: { low: [0.0098, 0.0282], high: [0.1506, 0.5625] },
    bytes: { low: [85713, 244475], high: [600368, 1680967] },
  },
}

/**
 * Processor seconds of a 1920 × 1080 frame that a codec takes more than H.264, at `standard`: measured by
 * `npm run lab -- codecs` with x265 3.5 and SVT-AV1 1.4.1. `low` is `data-chart`, `high` is `full-motion`.
 */
export const measuredCodecs: Readonly<Record<string, { readonly low: number; readonly high: number }>> = {
  hevc: { low: 0.1, high: 0.393 },
  av1: { low: 0.112, high: 0.203 },
}

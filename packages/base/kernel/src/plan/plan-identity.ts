import { createHash } from 'node:crypto'
import type { RenderPlan } from '@vid/protocol'

/** JSON with sorted keys, so that equal plans have equal text. */
export const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) => {
    if (inner === null || typeof inner !== 'object' || Array.isArray(inner)) return inner
    const names = Object.keys(inner).sort()
    return Object.fromEntries(names.map((name) => [name, (inner as Readonly<Record<string, unknown>>)[name]]))
  })

/** Equal for two plans with the same pages, so that one open page can serve both. */
export const pageKey = (plan: RenderPlan): string => {
  const { composition, width, height, scale, fps, variables, alpha, videoFrameFormat, network, capture } = plan
  return canonicalJson({
    entry: composition.entry,
    shape: composition.shape,
    width,
    height,
    scale,
    fps,
    variables,
    alpha,
    videoFrameFormat,
    network,
    capture,
  })
}

/** SHA-256 (hex) of a plan: equal hashes mean equal bytes. */
export const hashPlan = (plan: RenderPlan): string => createHash('sha256').update(canonicalJson(plan)).digest('hex')

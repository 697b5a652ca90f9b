import { createHash } from 'node:crypto'
import { canonicalJson, type RenderPlan } from '@vid/protocol'

/** SHA-256 (hex) of a plan: equal hashes mean equal bytes. */
export const hashPlan = (plan: RenderPlan): string =>
  createHash('sha256').update(canonicalJson(plan)).digest('hex')

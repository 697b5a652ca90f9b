import { createHash } from 'node:crypto'
import { cpus } from 'node:os'
import { type Blobs, canonicalJson, parseAs, type RenderPlan, Type } from '@vid/kernel'
import type { WorkerCosts } from './worker-choice.ts'

const CostsSchema = Type.Object({
  coresEach: Type.Number({ minimum: 1 }),
  frameMs: Type.Number({ exclusiveMinimum: 0 }),
  measuredMs: Type.Number(),
})

/** Age after which costs are measured again, in milliseconds: the composition may have changed. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000

type CostsPlan = Pick<RenderPlan, 'composition' | 'width' | 'height' | 'fps' | 'capture' | 'encoder' | 'outputs'>

/** Equal for renders of one composition that cost about the same on this machine, also after an edit. */
const keyOf = ({ composition, width, height, fps, capture, encoder, outputs }: CostsPlan, cores: number): string => {
  const work = [composition.entry, composition.id, width, height, fps, capture.name, encoder, outputs ?? []]
  const machine = [cores, cpus()[0]?.model ?? '']
  return `workers/${createHash('sha256')
    .update(canonicalJson([work, machine]))
    .digest('hex')
    .slice(0, 32)}`
}

/** What a worker cost in earlier renders. It decides only how many workers start, and no byte of a file. */
export interface PastCosts {
  /** Reads the costs, if there are any that are recent, and uses them. */
  use(begin: (costs: WorkerCosts) => void): void
  keep(costs: WorkerCosts): void
  /** Settles once nothing uses the store any more. */
  settle(): Promise<void>
}

/** Keeps the costs of a plan in the project's store. A store that cannot be used is reported by those who need it. */
export const createPastCosts = (open: () => Promise<Blobs>, plan: CostsPlan, cores: number): PastCosts => {
  const key = keyOf(plan, cores)
  const calls: Promise<unknown>[] = []
  const call = (work: (blobs: Blobs) => Promise<void>) => {
    calls.push(
      open()
        .then(work)
        .catch(() => {}),
    )
  }
  return {
    use: (begin) =>
      call(async (blobs) => {
        const costs = parseAs(CostsSchema, (await blobs.read(key)) ?? '')
        if (!costs || Math.abs(Date.now() - costs.measuredMs) > MAX_AGE_MS) return
        begin({ coresEach: costs.coresEach, frameMs: costs.frameMs })
      }),
    keep: (costs) => call((blobs) => blobs.write(key, JSON.stringify({ ...costs, measuredMs: Date.now() }))),
    async settle() {
      await Promise.all(calls)
    },
  }
}

import { isAway } from '../database/database.ts'
import { repeat } from '../repeat.ts'
import type { WorkParts } from '../worker/parts.ts'
import { removeDeleted, removeOldRows } from './deleted-renders.ts'
import { endResults, sumUsage, tidyEnded } from './ended-renders.ts'
import { requeueLost } from './lost-renders.ts'
import { removeOrphans } from './orphans.ts'
import { limitSegments } from './segments.ts'
import { type SweepSettings, sweepDefaults } from './settings.ts'
import { removeExpiredUploads, removeUnusedAssets } from './uploads.ts'

type SweepParts = Pick<WorkParts, 'database' | 'queue' | 'storage' | 'log'>

/** What a sweep removed. */
export interface Swept {
  /** Renders that were deleted because their results were old. */
  readonly results: number
  readonly renders: number
  readonly uploads: number
  readonly assets: number
  readonly orphans: number
  readonly segments: number
  /** Renders that had lost their jobs and were queued again. */
  readonly requeued: number
}

/** Removes unused data, and queues renders that lost their jobs; without `lists`, as far as no object must be listed. */
export const sweep = async (
  parts: SweepParts,
  settings: Partial<SweepSettings> = {},
  { lists = true }: { readonly lists?: boolean } = {},
): Promise<Swept> => {
  const allSettings = { ...sweepDefaults, ...settings }
  const { database, log } = parts
  const requeued = await requeueLost(parts)
  for (const renderId of requeued) log.error({ renderId }, 'a render had no job: it is queued again')
  const swept = {
    results: await endResults(database, allSettings),
    renders: await removeDeleted(parts, allSettings),
    uploads: await removeExpiredUploads(parts),
    assets: await removeUnusedAssets(parts, allSettings),
    orphans: lists ? await removeOrphans(parts, allSettings) : 0,
    segments: lists ? await limitSegments(parts, allSettings) : 0,
    requeued: requeued.length,
  }
  await tidyEnded(database, allSettings)
  await sumUsage(database, allSettings.usageAfterMs)
  await removeOldRows(database, allSettings)
  return swept
}

/** Settings that hold when something was last swept. */
type SweepKey = 'swept_at' | 'listed_at'

/** Whether this process runs the current sweep; only one of all processes does. */
export const claimSweep = async (
  { database }: Pick<SweepParts, 'database'>,
  everyMs: number,
  key: SweepKey = 'swept_at',
): Promise<boolean> => {
  const { rowCount } = await database.run(
    `INSERT INTO vid.settings AS s (key, value) VALUES ($2, to_jsonb(extract(epoch FROM now())))
     ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value
       WHERE (s.value #>> '{}')::float8 <= extract(epoch FROM now())::float8 - $1::float8
     RETURNING 1`,
    [everyMs / 1000, key],
  )
  return rowCount > 0
}

/** Sweeps periodically until it is closed. */
export const startSweeper = (parts: SweepParts, settings: Partial<SweepSettings> = {}): { close(): Promise<void> } => {
  const { everyMs, listEveryMs } = { ...sweepDefaults, ...settings }
  const stop = new AbortController()
  const work = async () => {
    if (!(await claimSweep(parts, everyMs))) return
    const lists = await claimSweep(parts, listEveryMs, 'listed_at')
    const swept = await sweep(parts, settings, { lists })
    if (Object.values(swept).some((count) => count > 0)) parts.log.info(swept, 'swept')
  }
  const sweeping = repeat(work, {
    everyMs: Math.min(everyMs, 30_000),
    signal: stop.signal,
    onError: (thrown) => {
      if (!isAway(thrown)) parts.log.error({ err: thrown }, 'unused data could not be removed')
    },
  })
  return {
    async close() {
      stop.abort()
      await sweeping
    },
  }
}

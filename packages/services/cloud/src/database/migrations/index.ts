import { initialSchema } from './0001-start.ts'
import { playLabels } from './0002-play-labels.ts'
import { playChoice } from './0003-play-choice.ts'
import { machineTime } from './0004-machine-time.ts'
import { streams } from './0005-streams.ts'
import { posters } from './0006-posters.ts'
import { shapes } from './0007-shapes.ts'
import { waitingJobs } from './0008-waiting-jobs.ts'
import { indexes } from './0009-indexes.ts'
import { sickWorkers } from './0010-sick-workers.ts'
import { openRenders } from './0011-open-renders.ts'
import { usableFrom } from './0012-usable-from.ts'
import { endedRenderIndexes, endedRenders } from './0013-ended-renders.ts'
import { waitingOrder } from './0014-waiting-order.ts'
import { moreIndexes } from './0015-more-indexes.ts'

/** Upgrades the schema from one version to the next. */
export interface Migration {
  readonly name: string
  /** Statements that run in one transaction: they must be short, as they lock tables. */
  readonly sql?: string
  /** Indexes, by their names, that are built while the tables are used. */
  readonly indexes?: Readonly<Record<string, string>>
}

/** How the schema is upgraded from each version to the next; append only. */
export const migrations: readonly Migration[] = [
  { name: 'start', sql: initialSchema },
  { name: 'play labels', sql: playLabels },
  { name: 'play choice', sql: playChoice },
  { name: 'machine time', sql: machineTime },
  { name: 'streams', sql: streams },
  { name: 'posters', sql: posters },
  { name: 'shapes', sql: shapes },
  { name: 'waiting jobs', sql: waitingJobs },
  { name: 'indexes', indexes },
  { name: 'sick workers', sql: sickWorkers },
  { name: 'open renders', indexes: openRenders },
  { name: 'usable from', sql: usableFrom },
  { name: 'ended renders', sql: endedRenders },
  { name: 'indexes of ended renders', indexes: endedRenderIndexes },
  { name: 'waiting order', sql: waitingOrder },
  { name: 'more indexes', indexes: moreIndexes },
]

/** The schema version that this process needs. */
export const SCHEMA_VERSION = migrations.length

/**
 * The oldest schema version whose processes can use the present schema. Raise it with a migration that takes away what
 * processes of earlier versions use, one version of vid after the last that used it.
 */
export const USABLE_FROM = 11

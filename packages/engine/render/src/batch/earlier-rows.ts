import { readFile } from 'node:fs/promises'
import { parseJson } from '@vid/protocol'
import { fail } from '../errors.ts'
import type { Manifest, ManifestRow } from './manifest.ts'
import type { PlannedBatch, PlannedRow } from './planned-row.ts'
import { areFilesSame } from './row-files.ts'
import { createRowPlans } from './row-plans.ts'

/** Which rows of a batch are rendered; all of them if nothing is given. */
export interface RowChoice {
  /** Numbers of rows as messages count them, such as `10-20,35`. */
  readonly rows?: string | undefined
  /** Only those that failed the last time. */
  readonly onlyFailed?: boolean | undefined
  /** Renders rows again that have not changed. */
  readonly fresh?: boolean | undefined
}

/** What is done with a row. */
export interface RowDecision {
  readonly row: PlannedRow
  /** Names everything that decides its files; null where that is not known. */
  readonly plan: string | null
  /** `unchanged` where its files are those of an earlier run, `left` where it was not chosen. */
  readonly action: 'render' | 'unchanged' | 'left'
  /** The row of an earlier run with the same output. */
  readonly earlier: ManifestRow | undefined
}

/** After this time, remote files are fetched again, so a page must be opened to know whether a row has changed. */
const DAY_MS = 24 * 60 * 60 * 1000

const readEarlier = async (manifestPath: string): Promise<ReadonlyMap<string, ManifestRow>> => {
  const text = manifestPath === '' ? '' : await readFile(manifestPath, 'utf8').catch(() => '')
  const { rows } = (parseJson(text) ?? {}) as Partial<Manifest>
  return new Map((Array.isArray(rows) ? rows : []).map((row) => [row.outputPath, row]))
}

const RANGE = /^(\d{1,9})(?:-(\d{1,9}))?$/

/** Whether a row's number is in a text such as `10-20,35`. */
const readRanges = (text: string): ((number: number) => boolean) => {
  const ranges = text.split(',').map((part) => {
    const [, first, last = first] = RANGE.exec(part.trim()) ?? []
    if (first === undefined || Number(last) < Number(first))
      throw fail('VID_BATCH_CHOICE', { problem: `"${text}" does not consist of rows such as 10-20,35` })
    return [Number(first), Number(last)] as const
  })
  return (number) => ranges.some(([first, last]) => number >= first && number <= last)
}

/** Everything below the project that the batch writes or has written, and the list of its rows. */
const writtenPaths = (
  { rows, batchPath, manifestPath, isListRead }: PlannedBatch,
  earlier: ReadonlyMap<string, ManifestRow>,
): ReadonlySet<string> => {
  const outputs = rows.flatMap(({ requests }) =>
    requests.flatMap(({ output, outputs = [] }) => [output, ...outputs.map((other) => other.output)]),
  )
  const files = [...earlier.values()].flatMap(({ files }) => (files ?? []).map(({ path }) => path))
  const list = batchPath === '' || isListRead ? [] : [batchPath]
  const manifest = [manifestPath, `${manifestPath}.lock`, `${manifestPath}.new`]
  return new Set([...outputs, ...files, ...list, ...manifest])
}

/** Whether an earlier run has made the files of a row, which are as it left them, and nothing that decides them has changed. */
export const isRowFinished = async (
  { requests }: Pick<PlannedRow, 'requests'>,
  plan: string | null,
  earlier: Pick<ManifestRow, 'status' | 'plan' | 'files' | 'completedAt'> | undefined,
): Promise<boolean> => {
  if (earlier?.status !== 'completed' || plan === null || earlier.plan !== plan || !earlier.files) return false
  const isOffline = requests.every(({ network }) => network === 'none')
  const age = Date.now() - Date.parse(earlier.completedAt ?? '')
  return (isOffline || age < DAY_MS) && areFilesSame(earlier.files)
}

/** Whether a row failed the last time, or before and was not rendered since. */
const hasFailed = (row: Pick<ManifestRow, 'status' | 'error'> | undefined): boolean =>
  row?.status === 'failed' || (row !== undefined && row.status !== 'completed' && (row.error ?? null) !== null)

/** Decides for each row whether it is rendered, by what an earlier run left; no page is opened. */
export const decideRows = async (
  batch: PlannedBatch,
  { rows: ranges, onlyFailed = false, fresh = false }: RowChoice,
  signal: AbortSignal,
): Promise<readonly RowDecision[]> => {
  const isChosen = ranges === undefined ? () => true : readRanges(ranges)
  if (batch.manifestPath === '')
    return batch.rows.map((row) => ({ row, plan: null, action: 'render' as const, earlier: undefined }))
  const earlier = await readEarlier(batch.manifestPath)
  const planOf = await createRowPlans(batch, { written: writtenPaths(batch, earlier), signal })
  const decide = async (row: PlannedRow): Promise<RowDecision> => {
    const before = earlier.get(row.outputPath)
    const plan = await planOf(row)
    const number = row.number ?? row.row ?? row.index
    const isWanted = isChosen(number) && (!onlyFailed || hasFailed(before))
    if (!isWanted) return { row, plan, action: 'left', earlier: before }
    const isUnchanged = !fresh && (await isRowFinished(row, plan, before))
    return { row, plan, action: isUnchanged ? 'unchanged' : 'render', earlier: before }
  }
  const decisions: RowDecision[] = []
  for (const row of batch.rows) decisions.push(await decide(row))
  if (decisions.every(({ action }) => action === 'left'))
    throw fail('VID_BATCH_CHOICE', {
      problem: onlyFailed ? 'none of them failed the last time' : `none has a number of ${ranges}`,
    })
  return decisions
}

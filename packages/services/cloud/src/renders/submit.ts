import { createHash } from 'node:crypto'
import type { CloudRender, CloudSubmitted } from '@vid/client/contract'
import { canonicalJson } from '@vid/kernel'
import { isVidError, type Warning } from '@vid/protocol'
import type { Reader } from '@vid/reader'
import { type AccountProfile, readAccount } from '../accounts/account-limits.ts'
import type { Database, Sql } from '../database/database.ts'
import { fail } from '../errors.ts'
import { newId } from '../ids.ts'
import type { CloudSettings } from '../options.ts'
import { type Asset, useAsset } from '../projects/assets.ts'
import { fetchProject } from '../projects/fetch-project.ts'
import type { Intake } from '../projects/intake.ts'
import type { ProcessProjects } from '../projects/process-projects.ts'
import { checkEncodable } from '../queue/codecs.ts'
import { doOnce, type Settle, type StoredReply } from '../requests/idempotency.ts'
import { checkFields, checkPoster, checkRenderProject, videosOf } from './check-render.ts'
import type { AcceptedRender, RenderQueue } from './queue.ts'
import { readUsage } from './usage.ts'

/** Seconds after which one of many renders may have ended. */
const RETRY_SECONDS = 10
const ACCEPTED = 202
const ROUTE = 'POST /v3/vid/renders'

/** Dependencies of submitting renders. */
export interface SubmitParts {
  readonly database: Database
  readonly cache: ProcessProjects
  readonly intake: Intake
  readonly queue: RenderQueue
  readonly reader: Pick<Reader, 'reading'>
  readonly settings: CloudSettings
  /** Rejects while the server cannot keep what it must: its database, its folder or its storage takes nothing. */
  readonly proveWritable: () => Promise<void>
  /** Refuses pictures that cannot be rendered from a composition. */
  readonly checkPicture: (size: AcceptedRender['size'], render: CloudRender) => void
}

/** A request to submit a render. */
export interface Submission {
  readonly accountId: string
  readonly render: CloudRender
  readonly key: string | undefined
  readonly signal: AbortSignal
}

/** Refuses a number of videos, besides those that are stored, that exceeds the limits of an account. */
const checkLimits = async (sql: Sql, account: AccountProfile, videos: number): Promise<void> => {
  const [open] = await sql.rows<{ count: number }>(
    `SELECT count(*) AS count FROM vid.renders
     WHERE account_id = $1 AND status IN ('queued', 'rendering') AND shapes IS NULL`,
    [account.id],
  )
  if ((open?.count ?? 0) + videos > account.openRenders)
    throw fail('VID_CLOUD_OPEN_RENDERS', { limit: account.openRenders, retryAfterSeconds: RETRY_SECONDS })
  const limit = account.billedSeconds
  if (limit === null) return
  const { billedSeconds: usedSeconds, end } = await readUsage(sql, account.id)
  if (usedSeconds >= limit) throw fail('VID_CLOUD_QUOTA', { used: usedSeconds, limit, until: end.toISOString() })
}

const projectOf = async (
  account: AccountProfile,
  { project }: CloudRender,
  { database, intake, settings }: SubmitParts,
  signal: AbortSignal,
): Promise<Asset> => {
  if (project.type === 'asset_id') return useAsset(database, account.id, project.asset_id, 'project.asset_id')
  const maxBytes = Math.min(account.uploadBytes, settings.uploadBytes)
  return fetchProject(project.url, { accountId: account.id, maxBytes, signal }, intake, settings)
}

const checkPicture = (size: AcceptedRender['size'], render: CloudRender, parts: SubmitParts): void => {
  try {
    parts.checkPicture(size, render)
  } catch (thrown) {
    if (!isVidError(thrown) || thrown.fault !== 'caller') throw thrown
    const field = (['shape', 'aspect_ratio'] as const).find((name) => render[name] !== undefined) ?? 'resolution'
    const problems = [`${thrown.message} ${thrown.hint}`]
    throw fail('VID_CLOUD_PROJECT_INVALID', { field, problems }, { cause: thrown })
  }
}

/** The row of a render: of a video, or of several shapes. */
interface NewRow extends Pick<AcceptedRender, 'id' | 'accountId' | 'request'> {
  readonly asset: Asset
  readonly warnings: readonly Warning[]
  readonly parentId?: string | undefined
}

/** Inserts a row, and resolves to its position in the order of acceptance. */
const insertRow = async (sql: Sql, { id, accountId, request, asset, warnings, parentId }: NewRow): Promise<number> => {
  const [row] = await sql.rows<{ sequence: number }>(
    `INSERT INTO vid.renders
       (id, account_id, request, asset_id, project_digest, project_key, title, callback_url, callback_id, warnings,
        parent_id, shapes)
     VALUES ($1, $2, $3::jsonb, $4, $5, $6, $7, $8, $9, $10::jsonb, $11, $12) RETURNING sequence`,
    [
      id,
      accountId,
      JSON.stringify(request),
      asset.id,
      asset.digest,
      asset.storageKey,
      request.title ?? null,
      request.callback_url ?? null,
      request.callback_id ?? null,
      JSON.stringify(warnings),
      parentId ?? null,
      request.shapes?.length ?? null,
    ],
  )
  return row?.sequence ?? 0
}

/** A video that a render makes, checked against its project. */
interface CheckedVideo extends Pick<AcceptedRender, 'request' | 'size' | 'duration'> {
  readonly warnings: readonly Warning[]
}

const checkVideo = async (
  folder: string,
  request: CloudRender,
  parts: SubmitParts,
  signal: AbortSignal,
): Promise<CheckedVideo> => {
  const { warnings, composition } = await checkRenderProject(folder, request, { reading: parts.reader.reading, signal })
  const { width, height, duration } = composition
  checkPoster(request, duration)
  checkPicture({ width, height }, request, parts)
  return { request, warnings, size: { width, height }, duration }
}

/** Inserts an accepted render with its videos and their jobs; resolves to its id. */
const insert = async (
  sql: Sql,
  { accountId, render: request }: Submission,
  videos: readonly CheckedVideo[],
  asset: Asset,
  queue: RenderQueue,
): Promise<string> => {
  const parentId = request.shapes && newId('render')
  if (parentId) await insertRow(sql, { id: parentId, accountId, request, asset, warnings: [] })
  let id = ''
  for (const { warnings, ...video } of videos) {
    id = newId('render')
    const row = { id, accountId, request: video.request, asset, warnings, parentId }
    const sequence = await insertRow(sql, row)
    await queue.enqueue(sql, { ...video, id, accountId, sequence })
  }
  return parentId ?? id
}

/** Checks a render and stores it; a stored render always ends as completed or failed. */
const accept = async (submission: Submission, parts: SubmitParts, settle: Settle | undefined): Promise<StoredReply> => {
  const { accountId, render: request, signal } = submission
  const { database, cache, queue, settings } = parts
  checkFields(request, settings)
  await parts.proveWritable()
  const account = await readAccount(database, accountId)
  const requests = videosOf(request)
  // Refuses early, before downloading and unpacking; the check below decides.
  await checkLimits(database, account, requests.length)
  await checkEncodable(database, request.codec)
  const asset = await projectOf(account, request, parts, signal)
  const project = await cache.hold(asset.storageKey, asset.digest, signal)
  try {
    const videos: CheckedVideo[] = []
    for (const video of requests) videos.push(await checkVideo(project.folder, video, parts, signal))
    const reply = await database.transaction(async (sql) => {
      const id = await insert(sql, submission, videos, asset, queue)
      const body: { readonly data: CloudSubmitted } = { data: { render_id: id, status: 'queued' } }
      const accepted = { status: ACCEPTED, body }
      await settle?.(sql, accepted)
      // Last, so that submissions of one account wait for each other no longer than they must.
      await checkLimits(sql, await readAccount(sql, accountId, { isLocked: true }), 0)
      return accepted
    })
    queue.wake()
    return reply
  } finally {
    project.release()
  }
}

/** Accepts a render, once per idempotency key. */
export const acceptSubmission = async (
  submission: Submission,
  parts: SubmitParts,
): Promise<StoredReply & { readonly isReplay: boolean }> => {
  const { accountId, render, key } = submission
  if (key === undefined) return { ...(await accept(submission, parts, undefined)), isReplay: false }
  const bodyHash = createHash('sha256').update(canonicalJson(render)).digest('hex')
  const request = { accountId, route: ROUTE, key, bodyHash }
  return doOnce(parts.database, request, parts.settings.replyLockMs, (settle) => accept(submission, parts, settle))
}

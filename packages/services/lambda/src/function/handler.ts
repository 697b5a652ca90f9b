import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { codedError, createRenderer, type Renderer } from '@vid/render'
import { createS3Client, putObject, type S3Bucket } from '@vid/s3'
import { makeFolder, trimFolder } from '@vid/system'
import { type CallEnd, type FunctionCall, startKey } from '../contract/call-records.ts'
import { runAbandon } from './actions/abandon-action.ts'
import { runAssemble } from './actions/assemble-action.ts'
import { runPlan } from './actions/plan-action.ts'
import { runPublishAction } from './actions/publish-action.ts'
import { runSegment } from './actions/segment-action.ts'
import { browsersAreSmall } from './browser-remains.ts'
import type { CallRun, Tally } from './call-run.ts'
import { startDeadline } from './deadline.ts'
import { putEndRecord } from './end-record.ts'
import type { FunctionEnvironment } from './environment.ts'
import { type FunctionEvent, readEvent } from './events.ts'
import { keepRenderer } from './kept-renderer.ts'
import type { LambdaContext } from './lambda-context.ts'
import { memoizeAsync } from './memoize-async.ts'
import { openPrograms } from './programs.ts'
import { openSiteCache } from './site-cache.ts'
import { asLambdaError, codeForWorkflow } from './thrown-error.ts'
import { createWorkFolders } from './work-folder.ts'

/** Share of the folder for temporary files that stays between calls; the rest is for the work of a call. */
const SITES_SHARE = 0.2
const FRAMES_SHARE = 0.2
const REMOTE_SHARE = 0.1

/** The key of a record contains everything. */
const EMPTY = new Uint8Array()

/** The function as called by Lambda. */
export interface Handler {
  (event: unknown, context: LambdaContext): Promise<unknown>
  /** Closes what stays between calls. Lambda does not call this: an environment ends with all its processes. */
  close(): Promise<void>
}

const runAction = (event: FunctionEvent, run: CallRun): Promise<unknown> => {
  switch (event.action) {
    case 'plan':
      return runPlan(event, run)
    case 'segment':
      return runSegment(event, run)
    case 'publish':
      return runPublishAction(event, run)
    case 'assemble':
      return runAssemble(event, run)
    case 'abandon':
      return runAbandon(event, run)
  }
}

const callOf = (event: FunctionEvent, { awsRequestId: requestId }: LambdaContext): FunctionCall => ({
  renderId: event.renderId,
  action: event.action,
  requestId,
  chunk: event.action === 'segment' ? event.chunk : 0,
})

/** Opens the caches, which limit what calls leave behind for later ones. */
const openCaches = async ({ tempDir, env }: FunctionEnvironment) => {
  const { blocks, bsize } = await statfs(tempDir)
  const bytes = blocks * bsize
  env.VID_MEDIA_CACHE_BYTES ??= String(Math.floor(bytes * FRAMES_SHARE))
  return {
    sites: await openSiteCache(join(tempDir, 'vid-sites'), bytes * SITES_SHARE),
    trim: () => trimFolder(join(env.VID_CACHE_DIR ?? tempDir, 'remote'), { maxBytes: bytes * REMOTE_SHARE }),
  }
}

/** Creates a renderer for this environment, once its programs are unpacked. */
const openRenderer = async (
  { codeDir, memoryBytes, env }: FunctionEnvironment,
  programs: () => Promise<void>,
): Promise<Renderer> => {
  await programs()
  return createRenderer({
    cwd: codeDir,
    configFrom: 'cwd',
    env,
    memoryBytes,
    isRemoteSide: true,
    // Not the projects' own store, since projects come and go: segments are stored in the bucket.
    storeDir: codeDir,
  })
}

const recordEnd = async (place: S3Bucket, call: FunctionCall | undefined, facts: CallEnd): Promise<void> => {
  console.log(JSON.stringify({ ...call, ...facts }))
  if (call) await putEndRecord(place, call, facts)
}

/** Creates the function: it plans, renders chunks, assembles and abandons, one call at a time. */
export const createHandler = (environment: FunctionEnvironment): Handler => {
  const { bucket, tempDir } = environment
  let isCold = true
  // Measured now, because the process may be frozen before its first call.
  const startMs = process.uptime() * 1000
  const client = createS3Client()
  const caches = memoizeAsync(() => openCaches(environment))
  const programs = memoizeAsync(() => openPrograms(environment))
  // Started before the first call, which waits for them and reports their failures.
  for (const open of [caches, programs]) open().catch(() => {})
  const withWorkFolder = createWorkFolders(tempDir)
  const renderer = keepRenderer(
    () => openRenderer(environment, programs),
    () => browsersAreSmall(environment),
  )

  const run = async (event: FunctionEvent, call: FunctionCall, place: S3Bucket, endsMs: number, tally: Tally) => {
    const { sites, trim } = await caches()
    const { signal = new AbortController().signal } = place
    await makeFolder(environment.env.VID_CACHE_DIR ?? tempDir, 0o700)
    await trim()
    return withWorkFolder((workDir) =>
      renderer.use((open) =>
        runAction(event, { call, place, signal, endsMs, workDir, environment, sites, renderer: open, tally }),
      ),
    )
  }

  const handle = async (data: unknown, context: LambdaContext): Promise<unknown> => {
    const startedMs = performance.now()
    const initMs = isCold ? startMs : 0
    const isFirst = isCold
    isCold = false
    const tally: Tally = { frames: 0, reusedFrames: 0 }
    const deadline = startDeadline(context)
    const { signal } = deadline
    let call: FunctionCall | undefined
    const end = async (outcome: string) => {
      const billedMs = initMs + performance.now() - startedMs
      await recordEnd({ client: await client, bucket }, call, { outcome, billedMs, ...tally, isCold: isFirst })
    }
    try {
      const event = readEvent(data)
      call = callOf(event, context)
      const place: S3Bucket = { client: await client, bucket, signal }
      await putObject(place, startKey(call), EMPTY)
      const result = await run(event, call, place, deadline.endsMs, tally)
      await end('done')
      return result
    } catch (thrown) {
      const error = codedError(thrown, signal)
      console.error(thrown)
      await end(codeForWorkflow(error))
      throw asLambdaError(error)
    } finally {
      deadline.clear()
    }
  }
  return Object.assign(handle, { close: renderer.close })
}

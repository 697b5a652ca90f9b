import { findLeftBehind } from '@vid/assets'
import {
  apiUrlOf,
  createCloudClient,
  lateSignal,
  leftBehindWarnings,
  renderFailure,
  resolveCredential,
} from '@vid/client'
import { type CloudRecord, defineTarget, isVidError, type RemoteResult, Type, withDefault } from '@vid/kernel'
import { readManifest } from '@vid/project'
import { bodyOf, refusedByApi } from './body.ts'
import { createRemoteProgress } from './remote-progress.ts'
import { chooseResolution } from './size.ts'

export { targetCloudErrors } from './errors.ts'

/** How long a render that nobody waits for any more is being cancelled. */
const CANCEL_MS = 4000

const resultOf = (record: CloudRecord, path: string): RemoteResult => ({
  artifact: { path, ...(record.sha256 !== null && { digest: record.sha256 }) },
  frames: record.total_frames,
  durationMs: (record.duration ?? 0) * 1000,
  warnings: record.warnings,
})

/** A server that is only tried is not waited for. */
const AT_ONCE = { replyMs: 10_000, awayMs: 0, fullMs: 0, brokenMs: 0, followMs: 0 }

/** The address of the API, and who asks there. */
const accountOf = async ({
  url = apiUrlOf(process.env),
  apiKey,
}: {
  readonly url?: string
  readonly apiKey?: string
}) => ({
  url,
  credential: apiKey === undefined ? (await resolveCredential({ env: process.env, url })).credential : { apiKey },
})

/** Has requests rendered on a hosted API (`vid cloud serve`, or one that somebody else runs). */
export default defineTarget({
  name: '@vid/target-cloud',
  options: Type.Object({
    /** Address of the API; that of `HOST_API_URL` if left out, else `http://127.0.0.1:9848`. */
    url: Type.Optional(Type.String({ minLength: 1 })),
    /** Key of the API; `HOST_API_KEY`, `VID_API_KEY` or what `vid auth login` has stored if left out. */
    apiKey: Type.Optional(Type.String({ writeOnly: true, minLength: 1 })),
    /** Allows http to other machines than this one. */
    insecure: withDefault(Type.Boolean(), false),
    /** Shorter side of the picture, to which it is scaled; `auto` takes the composition's own size, which must be one of the two. */
    resolution: withDefault(Type.Union([Type.Literal('auto'), Type.Literal('1080p'), Type.Literal('4k')]), 'auto'),
    /** Seconds from one question about the render to the next. */
    pollSeconds: withDefault(Type.Number({ minimum: 0.01, maximum: 3600 }), 10),
    /** Most minutes to wait for a render. */
    maxWaitMinutes: withDefault(Type.Number({ minimum: 0.01, maximum: 10_080 }), 60),
    /** Seconds that the API may be away while it renders. */
    awaySeconds: withDefault(Type.Integer({ minimum: 0, maximum: 86_400 }), 900),
  }),
  refuses: refusedByApi,
  async examine({ options, signal }) {
    const { url, credential } = await accountOf(options)
    const client = createCloudClient({ url, credential, insecure: options.insecure, limits: AT_ONCE })
    try {
      const { email, name, user_id } = await client.me({ signal })
      return `the hosted API at ${url} accepts the credential of ${email ?? name ?? user_id}`
    } finally {
      await client.close()
    }
  },
  async check(request, { options, projectDir, signal }) {
    await chooseResolution(request, { projectDir, resolution: options.resolution, signal })
    const { url, credential } = await accountOf(options)
    const client = createCloudClient({ url, credential, insecure: options.insecure, limits: AT_ONCE })
    try {
      await client.me({ signal })
    } catch (thrown) {
      // A server that is away now may be back: the render waits for it.
      if (!(isVidError(thrown) && thrown.fault === 'machine')) throw thrown
    } finally {
      await client.close()
    }
  },
  async render(request, context): Promise<RemoteResult> {
    const { options, projectDir, workDir, paths, signal } = context
    const { insecure, pollSeconds, maxWaitMinutes, awaySeconds } = options
    const resolution = await chooseResolution(request, { projectDir, resolution: options.resolution, signal })
    const { url, credential } = await accountOf(options)
    const awayMs = awaySeconds * 1000
    const client = createCloudClient({ url, credential, insecure, limits: { awayMs, followMs: awayMs } })
    // A render whose reply is not waited for would run on without anybody knowing.
    const late = lateSignal(signal, CANCEL_MS)
    let open: string | undefined
    try {
      const manifest = await readManifest(projectDir, { signal })
      const { entry } = request
      const missing = await findLeftBehind({ projectDir, files: manifest.files, entry, workDir })
      for (const warning of leftBehindWarnings(missing, entry)) context.warn(warning)
      const { asset_id } = await client.upload({ folder: projectDir, manifest, workDir }, { signal })
      const { render_id } = await client.submit(bodyOf(request, asset_id, resolution), {
        signal: late.signal,
      })
      open = render_id
      context.accepted(render_id)
      signal.throwIfAborted()
      const record = await client.waitForRender(render_id, {
        signal,
        pollMs: pollSeconds * 1000,
        maxWaitMs: maxWaitMinutes * 60_000,
        onRecord: createRemoteProgress(context),
      })
      open = undefined
      if (record.status === 'failed') throw renderFailure(record)
      await client.download(record, paths[0], { signal })
      return resultOf(record, paths[0])
    } catch (thrown) {
      // Where the API cannot be reached, the render goes on there.
      if (open !== undefined) await client.delete(open, { signal: AbortSignal.timeout(CANCEL_MS) }).catch(() => {})
      throw thrown
    } finally {
      late.end()
      await client.close()
    }
  },
})

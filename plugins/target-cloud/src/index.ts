import { basename, join } from 'node:path'
import {
  apiUrlOf,
  type CloudClient,
  cloudLeftBehind,
  cloudRemote,
  createCloudClient,
  resolveCredential,
} from '@vid/client'
import { type CloudRecord, cloudSurface } from '@vid/client/contract'
import {
  type BesideFile,
  defineTarget,
  isVidError,
  posterName,
  type RemoteProgress,
  type RemoteResult,
  type RenderRequest,
  Type,
  withDefault,
} from '@vid/kernel'
import { readManifest } from '@vid/project'
import { checkAvailable, leftBehindWarnings, renderRemotely } from '@vid/remote'
import { cloudBodyOf, refusedByApi } from './body.ts'
import { chooseResolution } from './size.ts'
import { forgetUpload, type Upload, uploadOnce } from './uploads.ts'

export { targetCloudErrors } from './errors.ts'

/** Downloads the poster of a video that is a file; a folder has it inside. */
const fetchBeside = async (
  client: CloudClient,
  record: CloudRecord,
  { poster }: Pick<RenderRequest, 'poster'>,
  { workDir, signal }: { readonly workDir: string; readonly signal: AbortSignal },
): Promise<readonly BesideFile[]> => {
  if (poster === undefined || record.format === 'hls') return []
  const path = await client.downloadPoster(record, (format) => join(workDir, posterName({ format })), { signal })
  return [{ suffix: `.${basename(path)}`, path }]
}

const resultOf = (record: CloudRecord, path: string, beside: readonly BesideFile[]): RemoteResult => ({
  artifact: {
    path,
    // The digest of a folder is that of its zip, which the client has verified.
    ...(record.sha256 !== null && record.format !== 'hls' && { digest: record.sha256 }),
    ...(beside.length > 0 && { beside }),
  },
  frames: record.total_frames,
  durationMs: (record.duration ?? 0) * 1000,
  warnings: record.warnings,
})

const progressOf = ({ status, frames_rendered, total_frames }: CloudRecord): RemoteProgress | undefined => {
  if (status === 'queued') return { stage: 'plan', framesRendered: 0, totalFrames: 0 }
  if (status !== 'rendering') return undefined
  return { stage: 'render', framesRendered: frames_rendered, totalFrames: total_frames }
}

/** Limits for only checking a server, without waiting for it. */
const AT_ONCE = { replyMs: 10_000, awayMs: 0, fullMs: 0, brokenMs: 0, followMs: 0 }

/** The API and the credential. */
interface Account {
  readonly url?: string
  readonly apiKey?: string
  readonly insecure: boolean
}

/** Runs work with a client of the API. */
const withApi = async <T>(
  { url = apiUrlOf(process.env), apiKey, insecure }: Account,
  limits: Parameters<typeof createCloudClient>[0]['limits'],
  work: (client: CloudClient) => Promise<T>,
): Promise<T> => {
  const credential = apiKey === undefined ? (await resolveCredential({ env: process.env, url })).credential : { apiKey }
  const client = createCloudClient({ url, credential, insecure, limits })
  try {
    return await work(client)
  } finally {
    await client.close()
  }
}

/** Renders requests on a hosted API (`vid cloud serve`, or one operated by somebody else). */
export default defineTarget({
  name: '@vid/target-cloud',
  options: Type.Object({
    /** Address of the API. Precedence: this option > `HOST_API_URL` > `http://127.0.0.1:9848`. */
    url: Type.Optional(Type.String({ minLength: 1 })),
    /**
     * Key of the API. Precedence: this option > `HOST_API_KEY` > `VID_API_KEY` > the credential stored by `vid auth
     * login`.
     */
    apiKey: Type.Optional(Type.String({ writeOnly: true, minLength: 1 })),
    /** Allows http to other machines. */
    insecure: withDefault(Type.Boolean(), false),
    /**
     * Shorter side of the picture, which is scaled to it; `auto` uses the composition's size, which must have one of
     * the two.
     */
    resolution: withDefault(Type.Union([Type.Literal('auto'), Type.Literal('1080p'), Type.Literal('4k')]), 'auto'),
    /** Seconds between two polls of the render. */
    pollSeconds: withDefault(Type.Number({ minimum: 0.01, maximum: 3600 }), 10),
    /** Longest wait for a render in minutes. */
    maxWaitMinutes: withDefault(Type.Number({ minimum: 0.01, maximum: 10_080 }), 60),
    /** How long the API may be unreachable during a render, in seconds. */
    awaySeconds: withDefault(Type.Integer({ minimum: 0, maximum: 86_400 }), 900),
  }),
  takes: cloudSurface.takes,
  refuses: refusedByApi,
  examine: ({ options, signal }) =>
    withApi(options, AT_ONCE, async (client) => {
      const { email, name, user_id } = await client.me({ signal })
      return `the hosted API at ${client.url} accepts the credential of ${email ?? name ?? user_id}`
    }),
  async check(request, { options, projectDir, signal }) {
    await chooseResolution(request, { projectDir, resolution: options.resolution, signal })
    await withApi(options, AT_ONCE, (client) => checkAvailable(() => client.me({ signal })))
  },
  async render(request, context): Promise<RemoteResult> {
    const { options, projectDir, workDir, paths, signal } = context
    const resolution = await chooseResolution(request, { projectDir, resolution: options.resolution, signal })
    const awayMs = options.awaySeconds * 1000
    return withApi(options, { awayMs, followMs: awayMs }, async (client) => {
      const { entry } = request
      const manifest = await readManifest(projectDir, { signal })
      const project = { projectDir, manifest, entry }
      for (const warning of await leftBehindWarnings(project, cloudLeftBehind)) context.warn(warning)
      const upload: Upload = {
        key: [client.url, options.apiKey, manifest.digest].join(' '),
        signal,
        send: async () => (await client.upload({ folder: projectDir, manifest, workDir }, { signal })).asset_id,
      }
      const assetId = await uploadOnce(context.shared, upload)
      const waitOptions = { pollMs: options.pollSeconds * 1000, maxWaitMs: options.maxWaitMinutes * 60_000 }
      const record = await renderRemotely(cloudRemote(client, cloudBodyOf(request, assetId, resolution), waitOptions), {
        signal,
        onAccepted: ({ render_id }) => context.accepted(render_id),
        onState(state) {
          const progress = progressOf(state)
          if (progress) context.progress(progress)
        },
      }).catch((thrown: unknown) => {
        // A fault of the composition says nothing of what was sent.
        if (!isVidError(thrown) || thrown.fault !== 'render') forgetUpload(context.shared, upload)
        throw thrown
      })
      await client.download(record, paths[0], { signal })
      return resultOf(record, paths[0], await fetchBeside(client, record, request, context))
    })
  },
})

import { createProducerClient } from '@vid/client'
import { defineTarget, isVidError, type RemoteResult, Type, withDefault } from '@vid/kernel'
import { readManifest } from '@vid/project'
import { bodyOf, refusedByBody } from './body.ts'
import { warnOfLeftBehind } from './left-behind.ts'
import { createRemoteProgress } from './remote-progress.ts'
import { fetchResults } from './results.ts'

export { targetProducerErrors } from './errors.ts'
export { targetProducerWarnings } from './warnings.ts'

/** The token of the environment, read when it is used, so that it is in no config and no plan. */
const tokenOfEnvironment = (): string | undefined =>
  (process.env.VID_PRODUCER_TOKEN ?? '').split(/[\s,]+/).find(Boolean)

/** A server that is only tried is not waited for. */
const AT_ONCE = { replyMs: 10_000, awayMs: 0, fullMs: 0, brokenMs: 0 }

/** Has requests rendered by a render server (`vid producer`). */
export default defineTarget({
  name: '@vid/target-producer',
  options: Type.Object({
    /** Address of the server, such as `https://render.example.com`. */
    url: Type.String({ minLength: 1 }),
    /** Token of the server; that of `VID_PRODUCER_TOKEN` if left out. */
    token: Type.Optional(Type.String({ writeOnly: true, minLength: 1 })),
    /** Allows http to other machines than this one. */
    insecure: withDefault(Type.Boolean(), false),
    /** Name of a preset of the config of the server. */
    preset: Type.Optional(Type.String({ minLength: 1 })),
    /** Seconds that a server may be away while it renders, such as for a restart. */
    awaySeconds: withDefault(Type.Integer({ minimum: 0, maximum: 86_400 }), 120),
  }),
  refuses: refusedByBody,
  async examine({ options: { url, token = tokenOfEnvironment(), insecure }, signal }) {
    const client = createProducerClient({ url, token, insecure, limits: AT_ONCE })
    try {
      const { activeRenders, queuedRenders } = await client.queue({ signal })
      return `the render server at ${url} answers: ${activeRenders} renders run, ${queuedRenders} wait`
    } finally {
      await client.close()
    }
  },
  async check(_request, { options: { url, token = tokenOfEnvironment(), insecure }, signal }) {
    const client = createProducerClient({ url, token, insecure, limits: AT_ONCE })
    try {
      await client.queue({ signal })
    } catch (thrown) {
      // A server that is away now may be back: the render waits for it.
      if (!(isVidError(thrown) && thrown.fault === 'machine')) throw thrown
    } finally {
      await client.close()
    }
  },
  async render(request, context): Promise<RemoteResult> {
    const { options, projectDir, workDir, paths, signal } = context
    const { url, token = tokenOfEnvironment(), insecure, preset, awaySeconds } = options
    const client = createProducerClient({ url, token, insecure, limits: { awayMs: awaySeconds * 1000 } })
    try {
      const manifest = await readManifest(projectDir, { signal })
      await warnOfLeftBehind({ projectDir, manifest, entry: request.entry, workDir, warn: context.warn })
      const result = await client.render(bodyOf(request, manifest.digest, preset), {
        signal,
        onEvent: createRemoteProgress(context),
        prepare: () => client.sendProject({ folder: projectDir, manifest, workDir }, { signal }),
      })
      return {
        artifact: await fetchResults(client, result, { paths, workDir }, signal),
        frames: result.frames,
        durationMs: result.videoDurationSeconds * 1000,
        // Of what was asked for, this side has said it; the server is sent every default.
        warnings: result.warnings.filter(({ code }) => code !== 'VID_FLAG_WITHOUT_EFFECT'),
      }
    } finally {
      await client.close()
    }
  },
})

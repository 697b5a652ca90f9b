import { createProducerClient, type ProducerClient } from '@vid/client'
import type { ProducerEvent } from '@vid/client/contract'
import { defineTarget, type RemoteResult, type RequestContext, Type, withDefault } from '@vid/kernel'
import { readManifest } from '@vid/project'
import { checkAvailable, leftBehindWarnings } from '@vid/remote'
import { producerBodyOf, refusedByBody } from './body.ts'
import { fail } from './errors.ts'
import { fetchResults } from './results.ts'
import { targetProducerWarning } from './warnings.ts'

export { targetProducerErrors } from './errors.ts'
export { targetProducerWarnings } from './warnings.ts'

/** The token in the environment, read on use, so that it is part of no config and no plan. */
const tokenOfEnvironment = (): string | undefined =>
  (process.env.VID_PRODUCER_TOKEN ?? '').split(/[\s,]+/).find(Boolean)

/** Limits for only checking a server, without waiting for it. */
const AT_ONCE = { replyMs: 10_000, awayMs: 0, fullMs: 0, brokenMs: 0 }

/** Runs work with a client of the server. */
const withServer = async <T>(
  { url, token = tokenOfEnvironment(), insecure }: { url: string; token?: string; insecure: boolean },
  limits: Parameters<typeof createProducerClient>[0]['limits'],
  work: (client: ProducerClient) => Promise<T>,
): Promise<T> => {
  const client = createProducerClient({ url, token, insecure, limits })
  try {
    return await work(client)
  } finally {
    await client.close()
  }
}

/** Texts about files that are not sent. */
const leftBehind = {
  refuse: (entry: string) => fail('VID_PRODUCER_ENTRY_LEFT_OUT', { entry }),
  files: (files: readonly string[]) => targetProducerWarning('VID_PRODUCER_LEFT_BEHIND', { files }),
  packages: (packages: readonly string[]) => targetProducerWarning('VID_PRODUCER_PACKAGES', { packages }),
}

type Reports = Pick<RequestContext<unknown>, 'queued' | 'progress'>

/** Passes on the server's reports. */
const report = (event: ProducerEvent, { queued, progress }: Reports): void => {
  if (event.type === 'queued') queued(event.position)
  if (event.type !== 'progress') return
  const { stage, framesRendered, totalFrames } = event
  if (stage !== 'deliver') progress({ stage, framesRendered, totalFrames })
}

/** Renders requests on a render server (`vid producer`). */
export default defineTarget({
  name: '@vid/target-producer',
  options: Type.Object({
    /** Address of the server, such as `https://render.example.com`. */
    url: Type.String({ minLength: 1 }),
    /** Token of the server; `VID_PRODUCER_TOKEN` if left out. */
    token: Type.Optional(Type.String({ writeOnly: true, minLength: 1 })),
    /** Allows http to other machines. */
    insecure: withDefault(Type.Boolean(), false),
    /** Name of a preset in the server's config. */
    preset: Type.Optional(Type.String({ minLength: 1 })),
    /** How long the server may be unreachable during a render, such as for a restart, in seconds. */
    awaySeconds: withDefault(Type.Integer({ minimum: 0, maximum: 86_400 }), 120),
  }),
  refuses: refusedByBody,
  examine: ({ options, signal }) =>
    withServer(options, AT_ONCE, async (client) => {
      const { activeRenders, queuedRenders } = await client.queue({ signal })
      return `the render server at ${options.url} answers: ${activeRenders} renders run, ${queuedRenders} wait`
    }),
  check: (_request, { options, signal }) =>
    withServer(options, AT_ONCE, (client) => checkAvailable(() => client.queue({ signal }))),
  async render(request, context): Promise<RemoteResult> {
    const { options, projectDir, workDir, paths, signal } = context
    return withServer(options, { awayMs: options.awaySeconds * 1000 }, async (client) => {
      const manifest = await readManifest(projectDir, { signal })
      const project = { projectDir, manifest, entry: request.entry }
      for (const warning of await leftBehindWarnings(project, leftBehind)) context.warn(warning)
      const result = await client.render(producerBodyOf(request, manifest.digest, options.preset), {
        signal,
        onEvent: (event) => report(event, context),
        prepare: () => client.sendProject({ folder: projectDir, manifest, workDir }, { signal }),
      })
      return {
        artifact: await fetchResults(client, result, { paths, workDir }, signal),
        frames: result.frames,
        durationMs: result.videoDurationSeconds * 1000,
        // This side has already warned about the request; the server is sent every default.
        warnings: result.warnings.filter(({ code }) => code !== 'VID_FLAG_WITHOUT_EFFECT'),
      }
    })
  },
})

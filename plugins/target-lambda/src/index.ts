import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findLeftBehind } from '@vid/assets'
import {
  defineTarget,
  isVidError,
  type RemoteResult,
  type RenderRequest,
  type RequestContext,
  type Static,
  Type,
  withDefault,
} from '@vid/kernel'
import {
  checkPlace,
  checkStackFormat,
  deploySite,
  downloadRenderResult,
  findPlace,
  followRender,
  getRenderProgress,
  listRenders,
  type Place,
  readRenderWarnings,
  renderFailure,
  renderToLambda,
  siteWarnings,
  stopRender,
} from '@vid/lambda'
import { readManifest } from '@vid/project'
import { configOf, refusedByLambda } from './config.ts'
import { createRemoteProgress } from './remote-progress.ts'

/** How long a render that nobody waits for any more is being stopped. */
const STOP_MS = 4000

const options = Type.Object({
  /** Bucket of the stack; that of `VID_BUCKET` if left out, else that of the stack. */
  bucket: Type.Optional(Type.String({ minLength: 1 })),
  /** ARN of the state machine of the stack; that of `VID_SFN_ARN` if left out, else that of the stack. */
  stateMachine: Type.Optional(Type.String({ minLength: 1 })),
  /** Name of the stack that `vid lambda deploy` has made, asked for what is not given; `vid-render` if left out. */
  stack: Type.Optional(Type.String({ minLength: 1 })),
  /** Region of AWS; that of the environment if left out. */
  region: Type.Optional(Type.String({ minLength: 1 })),
  /** Frames that one call of the function renders. */
  chunkSize: Type.Optional(Type.Integer({ minimum: 1 })),
  /** Calls of the function that a render is spread over at most. */
  maxParallelChunks: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
  /** Frames of a call to aim at, up to `maxParallelChunks`; ignored with `chunkSize`. */
  targetChunkFrames: Type.Optional(Type.Integer({ minimum: 1 })),
  /** Seconds from one look at the render to the next. */
  pollSeconds: withDefault(Type.Number({ minimum: 0.01, maximum: 3600 }), 2),
  /** Seconds that AWS may be out of reach while it renders. */
  awaySeconds: withDefault(Type.Integer({ minimum: 0, maximum: 86_400 }), 900),
})

type Context = RequestContext<Static<typeof options>>

/** Where the stack of the options renders. */
const placeOf = ({ bucket, stateMachine, stack, region }: Static<typeof options>, signal: AbortSignal) =>
  findPlace(
    { bucketName: bucket, stateMachineArn: stateMachine, stackName: stack, region },
    { env: process.env, signal },
  )

/** Uploads the project unless it is there; resolves to the id of its site. */
const upload = async (request: RenderRequest, place: Place, context: Context): Promise<string> => {
  const { projectDir, workDir, signal } = context
  const { entry } = request
  const manifest = await readManifest(projectDir, { signal })
  const missing = await findLeftBehind({ projectDir, files: manifest.files, entry, workDir })
  for (const warning of siteWarnings(missing, entry)) context.warn(warning)
  return (await deploySite({ projectDir, ...place, signal })).siteId
}

/** Has requests rendered on AWS Lambda, on the stack that `vid lambda deploy` has made. */
export default defineTarget({
  name: '@vid/target-lambda',
  options,
  refuses: refusedByLambda,
  async examine({ options, signal }) {
    const place = await placeOf(options, signal)
    // That the stack answers is enough.
    for await (const _ of listRenders({ ...place, signal })) break
    return `renders of ${place.stateMachineArn} can be listed; its bucket is ${place.bucketName}`
  },
  async check({ format }, { options, signal }) {
    const place = await placeOf(options, signal)
    await checkPlace(place, signal)
    await checkStackFormat({ ...place, signal }, { format })
  },
  async render(request, context): Promise<RemoteResult> {
    const { workDir, paths, signal } = context
    const { pollSeconds, awaySeconds } = context.options
    const place = await placeOf(context.options, signal)
    const siteHandle = await upload(request, place, context)
    // By a file, since they may be too large for the input of the workflow.
    const variablesFile = join(workDir, 'lambda-variables.json')
    await writeFile(variablesFile, JSON.stringify(request.variables))
    signal.throwIfAborted()
    // Not ended by the signal: a render whose reply is not heard would go on without anybody knowing.
    const { renderId } = await renderToLambda({
      ...place,
      siteHandle,
      config: { ...configOf(request, context.options), variablesFile },
    })
    context.accepted(renderId)
    let isOpen = true
    try {
      const end = await followRender((stop) => getRenderProgress({ ...place, renderId, signal: stop }), {
        signal,
        pollMs: pollSeconds * 1000,
        awayMs: awaySeconds * 1000,
        onProgress: createRemoteProgress(context),
      })
      isOpen = false
      if (end.status !== 'SUCCEEDED' || !end.result) throw renderFailure(end)
      const warnings = await readRenderWarnings({ ...place, signal }, renderId)
      await downloadRenderResult({ ...place, signal }, end.result, paths[0])
      const { sha256: digest, frames, durationMs } = end.result
      const { cost } = end
      return {
        artifact: { path: paths[0], digest },
        frames,
        durationMs,
        warnings,
        ...(cost && { cost: { usd: cost.usd, isUpperBound: cost.isUpperBound } }),
      }
    } catch (thrown) {
      // Where AWS cannot be reached, it cannot be told either: the render goes on there.
      if (isOpen && !(isVidError(thrown) && thrown.code === 'VID_AWS_UNREACHABLE'))
        await stopRender({ ...place, renderId, signal: AbortSignal.timeout(STOP_MS) }).catch(() => {})
      throw thrown
    }
  },
})

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  defineTarget,
  isVidError,
  type RemoteProgress,
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
  type RenderHandle,
  type RenderProgress,
  readRenderWarnings,
  renderFailure,
  renderToLambda,
  siteLeftBehind,
  stopRender,
} from '@vid/lambda'
import { readManifest } from '@vid/project'
import { leftBehindWarnings, type RemoteRender, renderRemotely } from '@vid/remote'
import { configOf, lambdaTakes, refusedByLambda } from './config.ts'

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
  const { projectDir, signal } = context
  const manifest = await readManifest(projectDir, { signal })
  const project = { projectDir, manifest, entry: request.entry }
  for (const warning of await leftBehindWarnings(project, siteLeftBehind)) context.warn(warning)
  return (await deploySite({ projectDir, ...place, signal })).siteId
}

const progressOf = ({ framesRendered, totalFrames, status }: RenderProgress): RemoteProgress => {
  if (totalFrames === null) return { stage: 'plan', framesRendered: 0, totalFrames: 0 }
  const isJoining = framesRendered >= totalFrames && status === 'RUNNING'
  return { stage: isJoining ? 'join' : 'render', framesRendered, totalFrames }
}

/** A render of a site that was uploaded. */
const remoteRender = (
  request: RenderRequest,
  { place, siteHandle }: { readonly place: Place; readonly siteHandle: string },
  { options, workDir }: Context,
): RemoteRender<RenderHandle, RenderProgress, RenderProgress> => {
  let hasEnded = false
  return {
    // Not ended by the signal: a render whose reply is not heard would go on without anybody knowing.
    async submit() {
      // By a file, since they may be too large for the input of the workflow.
      const variablesFile = join(workDir, 'lambda-variables.json')
      await writeFile(variablesFile, JSON.stringify(request.variables))
      return renderToLambda({ ...place, siteHandle, config: { ...configOf(request, options), variablesFile } })
    },
    async follow({ renderId }, { signal, onState }) {
      const end = await followRender((stop) => getRenderProgress({ ...place, renderId, signal: stop }), {
        signal,
        pollMs: options.pollSeconds * 1000,
        awayMs: options.awaySeconds * 1000,
        ...(onState && { onProgress: onState }),
      })
      hasEnded = true
      if (end.status !== 'SUCCEEDED' || !end.result) throw renderFailure(end)
      return end
    },
    cancel: ({ renderId }, signal) => stopRender({ ...place, renderId, signal }),
    isOver: (error) => hasEnded || (isVidError(error) && error.code === 'VID_AWS_UNREACHABLE'),
  }
}

/** Has requests rendered on AWS Lambda, on the stack that `vid lambda deploy` has made. */
export default defineTarget({
  name: '@vid/target-lambda',
  options,
  takes: lambdaTakes,
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
    const { paths, signal } = context
    const place = await placeOf(context.options, signal)
    const siteHandle = await upload(request, place, context)
    signal.throwIfAborted()
    const { renderId, result, cost } = await renderRemotely(remoteRender(request, { place, siteHandle }, context), {
      signal,
      onAccepted: (handle) => context.accepted(handle.renderId),
      onState: (state) => context.progress(progressOf(state)),
    })
    if (!result) throw new TypeError('a render has succeeded without a result')
    const warnings = await readRenderWarnings({ ...place, signal }, renderId)
    await downloadRenderResult({ ...place, signal }, result, paths[0])
    const { sha256: digest, frames, durationMs } = result
    return {
      artifact: { path: paths[0], digest },
      frames,
      durationMs,
      warnings,
      ...(cost && { cost: { usd: cost.usd, isUpperBound: cost.isUpperBound } }),
    }
  },
})

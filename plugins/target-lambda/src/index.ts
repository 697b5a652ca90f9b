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
  checkStackFormat,
  checkStackPlace,
  deploySite,
  downloadRenderPoster,
  downloadRenderResult,
  findPlace,
  followRender,
  getRenderProgress,
  lambdaFailure,
  lambdaSurface,
  listRenders,
  type Place,
  type RenderHandle,
  type RenderProgress,
  readRenderWarnings,
  renderToLambda,
  siteLeftBehind,
  stopRender,
} from '@vid/lambda'
import { readManifest } from '@vid/project'
import { leftBehindWarnings, type RemoteRender, renderRemotely } from '@vid/remote'
import { configOf, refusedByLambda } from './config.ts'

const options = Type.Object({
  /** Bucket of the stack. Precedence: this option > `VID_BUCKET` > the stack's output. */
  bucket: Type.Optional(Type.String({ minLength: 1 })),
  /** ARN of the stack's state machine. Precedence: this option > `VID_SFN_ARN` > the stack's output. */
  stateMachine: Type.Optional(Type.String({ minLength: 1 })),
  /** Name of the stack that `vid lambda deploy` created, used for values that are not set; `vid-render` if left out. */
  stack: Type.Optional(Type.String({ minLength: 1 })),
  /** AWS region; that of the environment if left out. */
  region: Type.Optional(Type.String({ minLength: 1 })),
  /** Frames per call of the function. */
  chunkSize: Type.Optional(Type.Integer({ minimum: 1 })),
  /** Maximum number of concurrent calls for a render. */
  maxParallelChunks: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
  /** Target number of frames per call, with up to `maxParallelChunks` calls; ignored with `chunkSize`. */
  targetChunkFrames: Type.Optional(Type.Integer({ minimum: 1 })),
  /** Seconds between two polls of the render. */
  pollSeconds: withDefault(Type.Number({ minimum: 0.01, maximum: 3600 }), 2),
  /** How long AWS may be unreachable during a render, in seconds. */
  awaySeconds: withDefault(Type.Integer({ minimum: 0, maximum: 86_400 }), 900),
})

type Context = RequestContext<Static<typeof options>>

/** Finds the stack of the options. */
const placeOf = ({ bucket, stateMachine, stack, region }: Static<typeof options>, signal: AbortSignal) =>
  findPlace(
    { bucketName: bucket, stateMachineArn: stateMachine, stackName: stack, region },
    { env: process.env, signal },
  )

/** Uploads the project unless the bucket has it; resolves to the id of its site. */
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

/** A render of an uploaded site. */
const remoteRender = (
  request: RenderRequest,
  { place, siteHandle }: { readonly place: Place; readonly siteHandle: string },
  { options, workDir }: Context,
): RemoteRender<RenderHandle, RenderProgress, RenderProgress> => {
  let hasEnded = false
  return {
    // Not aborted by the signal: a render whose reply is lost would continue unnoticed.
    async submit() {
      // As a file, because they may be too large for the input of the workflow.
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
      if (end.status !== 'SUCCEEDED' || !end.result) throw lambdaFailure(end)
      return end
    },
    cancel: ({ renderId }, signal) => stopRender({ ...place, renderId, signal }),
    isOver: (error) => hasEnded || (isVidError(error) && error.code === 'VID_AWS_UNREACHABLE'),
  }
}

/** Renders requests on AWS Lambda, on the stack that `vid lambda deploy` created. */
export default defineTarget({
  name: '@vid/target-lambda',
  options,
  takes: lambdaSurface.takes,
  refuses: refusedByLambda,
  async examine({ options, signal }) {
    const place = await placeOf(options, signal)
    // One reply of the stack is enough.
    for await (const _ of listRenders({ ...place, signal })) break
    return `renders of ${place.stateMachineArn} can be listed; its bucket is ${place.bucketName}`
  },
  async check({ format }, { options, signal }) {
    const place = await placeOf(options, signal)
    await checkStackPlace(place, signal)
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
    const bucket = { ...place, signal }
    await downloadRenderResult(bucket, result, paths[0])
    const poster = await downloadRenderPoster(bucket, result, paths[0])
    const { sha256: digest, frames, durationMs } = result
    return {
      artifact: { path: paths[0], digest, ...(poster && { beside: [poster] }) },
      frames,
      durationMs,
      warnings,
      ...(cost && { cost: { usd: cost.usd, isUpperBound: cost.isUpperBound } }),
    }
  },
})

import { realpath } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { findProject } from '@vid/core'
import type { RemoteResult, RequestContext } from '@vid/kernel'
import type { RenderRequest } from '@vid/protocol'
import { type Engine, findEngine } from '../engine/find-engine.ts'
import { fail } from '../errors.ts'
import { ensureImage } from '../image/ensure-image.ts'
import { ORDER_PATH, type Order, WORK_DIR } from '../order.ts'
import { vidVersion } from '../recipe-folder.ts'
import { containerWarning } from '../warnings.ts'
import { createAnswer } from './answer.ts'
import { errorOfEnd } from './end-without-answer.ts'
import { sightMounts } from './mounts.ts'
import { containerName, removeContainer, removeLeft } from './owner.ts'
import { takeResults } from './results.ts'
import { runArguments } from './run-arguments.ts'
import { runToEnd } from './run-to-end.ts'
import { secretMounts } from './secrets.ts'
import { segmentsMount } from './segments.ts'
import type { ContainerSettings } from './settings.ts'
import { chooseUser } from './user.ts'
import { makeWorkFolder } from './work-folder.ts'

/** What a render in a container works with. */
export type ContainerContext = Pick<
  RequestContext<ContainerSettings>,
  'options' | 'projectDir' | 'workDir' | 'paths' | 'signal' | 'progress' | 'segment' | 'warn' | 'log' | 'origin'
>

/** Paths inside hold no link but those of the folders that are seen: Node finds packages by real paths. */
const orderOf = async (
  request: RenderRequest,
  { options, paths, origin, projectDir }: ContainerContext,
): Promise<Order> => ({
  version: vidVersion(),
  request: { ...request, projectDir: await findProject(projectDir) },
  names: paths.map((path) => basename(path)),
  ...(origin?.file !== undefined && { config: await realpath(origin.file) }),
  ...(origin?.preset !== undefined && { preset: origin.preset }),
  cache: options.cache && origin?.cache !== false,
  fresh: origin?.fresh === true,
  network: options.network !== 'none',
})

const environmentOf = (engine: Engine, names: readonly string[]): readonly string[] => {
  for (const name of names) if (engine.env[name] === undefined) throw fail('VID_CONTAINER_ENVIRONMENT', { name })
  return names
}

/** Renders a request in a container, and brings what it made. */
export const renderInContainer = async (
  request: RenderRequest,
  context: ContainerContext,
  env: NodeJS.ProcessEnv = process.env,
): Promise<RemoteResult> => {
  const { options, workDir, paths, signal, warn } = context
  if (process.getuid === undefined || process.getgid === undefined)
    throw fail('VID_CONTAINER_PLATFORM', { platform: process.platform })
  const engine = await findEngine(env, signal)
  if (!engine.limits) throw fail('VID_CONTAINER_UNLIMITED', { program: engine.program })
  const order = await orderOf(request, context)
  const { config } = order
  const { projectDir } = order.request
  const mounts = await sightMounts({ projectDir, config, more: options.mounts })
  const closed = await secretMounts(mounts, [projectDir, ...(config ? [dirname(config)] : [])], workDir)
  const tidying = removeLeft(engine, signal)
  const user = chooseUser(engine, { uid: process.getuid(), gid: process.getgid() })
  const image = await ensureImage(engine, {
    env,
    signal,
    reference: options.image,
    baseImage: options.baseImage,
    onBuild: (reference) => warn(containerWarning('VID_CONTAINER_BUILDING', { image: reference })),
  })
  const work = await makeWorkFolder(workDir, order, user)
  const name = containerName()
  const setup = runArguments(engine, {
    name,
    limits: options,
    network: options.network,
    userWords: user.words,
    mounts: [
      ...mounts,
      ...closed,
      { source: work.folder, destination: WORK_DIR, isReadOnly: false },
      ...(order.cache ? [await segmentsMount(projectDir, user)] : []),
    ],
    seccomp: options.seccomp === 'engine' ? undefined : work.seccomp,
    env: environmentOf(engine, options.env),
  })
  const words = [...setup, '--interactive', image.id, 'container', 'inside', ORDER_PATH]
  const answer = createAnswer(context)
  try {
    const run = { name, words, work, limit: options.disk }
    const { end, isOverfull } = await runToEnd(engine, run, answer.take, signal)
    signal.throwIfAborted()
    if (isOverfull) throw fail('VID_CONTAINER_DISK', { bytes: options.disk })
    const { result, error } = answer.get()
    if (error) throw error
    if (!result || end.exit !== 0) throw errorOfEnd(engine, image, end)
    return await takeResults(result, { work, paths, user })
  } finally {
    // An engine that was itself killed has removed nothing.
    await removeContainer(engine, name)
    await tidying
  }
}

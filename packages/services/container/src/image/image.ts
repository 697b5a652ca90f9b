import { parseJson, Type } from '@vid/protocol'
import { askEngine, callEngine, lastWords } from '../engine/engine-call.ts'
import type { Engine } from '../engine/find-engine.ts'
import { fail } from '../errors.ts'
import { isMatching } from '../matching.ts'

/** Label of an image, set by the Dockerfile: the version of vid in it. */
const VERSION_LABEL = 'dev.vid.version'

const InspectSchema = Type.Object({
  Id: Type.String({ minLength: 1 }),
  Architecture: Type.String(),
  Os: Type.String(),
  Created: Type.Optional(Type.String()),
  Size: Type.Optional(Type.Number()),
  Config: Type.Object({
    Labels: Type.Optional(Type.Union([Type.Record(Type.String(), Type.String()), Type.Null()])),
  }),
  RootFS: Type.Optional(Type.Object({ Layers: Type.Optional(Type.Array(Type.String())) })),
})

/** An image that the engine has. */
export interface Image {
  /** As it was asked for. */
  readonly reference: string
  /** Digest of its content, by which it is run. */
  readonly id: string
  /** Such as linux/amd64. */
  readonly platform: string
  /** Version of vid in it, if it says so. */
  readonly version: string | undefined
  readonly created: string | undefined
  readonly bytes: number | undefined
  readonly layers: number | undefined
}

const isUnknown = (message: string): boolean => /no such image|image not known|not found/i.test(message)

/** What the engine knows of an image; undefined where it has none of that name. */
export const inspectImage = async (
  engine: Engine,
  reference: string,
  signal?: AbortSignal,
): Promise<Image | undefined> => {
  const args = ['image', 'inspect', reference]
  const { code, stdout, stderr } = await callEngine(engine, args, signal ? { signal } : {})
  const { program } = engine
  const failure = (reason: string) => fail('VID_CONTAINER_ENGINE_FAILED', { program, command: 'image inspect', reason })
  if (code !== 0) {
    if (isUnknown(stderr)) return undefined
    throw failure(lastWords(stderr))
  }
  const list = parseJson(stdout)
  if (!isMatching(Type.Array(InspectSchema), list)) throw failure('its answer is no description of an image')
  const [details] = list
  return (
    details && {
      reference,
      id: details.Id,
      platform: `${details.Os}/${details.Architecture}`,
      version: details.Config.Labels?.[VERSION_LABEL],
      created: details.Created,
      bytes: details.Size,
      layers: details.RootFS?.Layers?.length,
    }
  )
}

/** Refuses an image that cannot be run here, or that holds another version. */
export const checkImage = (image: Image, version: string): Image => {
  const { reference, platform } = image
  if (platform !== 'linux/amd64') throw fail('VID_CONTAINER_ARCHITECTURE', { image: reference, found: platform })
  if (image.version !== version) {
    const actual = image.version === undefined ? 'no vid' : `vid ${image.version}`
    throw fail('VID_CONTAINER_IMAGE_FOREIGN', { image: reference, found: actual, wanted: version })
  }
  return image
}

/** Fetches an image from its registry. */
export const pullImage = async (engine: Engine, reference: string, signal?: AbortSignal): Promise<void> => {
  try {
    await askEngine(engine, ['pull', '--platform', 'linux/amd64', reference], signal ? { signal } : {})
  } catch (thrown) {
    signal?.throwIfAborted()
    const reason = thrown instanceof Error ? thrown.message : String(thrown)
    throw fail('VID_CONTAINER_IMAGE_MISSING', { image: reference, reason }, { cause: thrown })
  }
}

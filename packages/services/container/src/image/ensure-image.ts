import type { Engine } from '../engine/find-engine.ts'
import { fail } from '../errors.ts'
import { vidVersion } from '../recipe-folder.ts'
import { type BuildOptions, buildImage } from './build-image.ts'
import { checkImage, type Image, inspectImage, pullImage } from './image.ts'
import { type Recipe, requireRecipe } from './recipe.ts'

/** Which image is wanted, and how it is made where it is missing. */
export interface WantedImage extends Pick<BuildOptions, 'env' | 'signal' | 'baseImage' | 'onText'> {
  /** A reference of the user's own, fetched where it is missing; that of this vid if left out, which is built. */
  readonly reference?: string | undefined
  /** Called before an image is built. */
  onBuild?(reference: string): void
}

/** Finds an image, and makes it known to the engine where it is not. */
const findOr = async (
  engine: Engine,
  reference: string,
  signal: AbortSignal | undefined,
  make: () => Promise<void>,
): Promise<Image> => {
  const existing = await inspectImage(engine, reference, signal)
  if (existing) return existing
  await make()
  const built = await inspectImage(engine, reference, signal)
  if (built) return built
  throw fail('VID_CONTAINER_IMAGE_MISSING', {
    image: reference,
    reason: 'the engine has it under no such name',
  })
}

/** Builds under way in this process: the rows of a batch wait for one. They only save time. */
const building = new Map<string, Promise<void>>()

const buildOnce = async (engine: Engine, recipe: Recipe, request: WantedImage): Promise<void> => {
  const { reference } = recipe
  const build = building.get(reference)
  // If the caller that started a build was stopped, the next caller starts it again.
  if (build) return build.catch(() => buildOnce(engine, recipe, request))
  request.onBuild?.(reference)
  const started = buildImage(engine, recipe, request).finally(() => building.delete(reference))
  building.set(reference, started)
  return started
}

/** Finds the image of a render, and makes it where it is missing. */
export const ensureImage = async (engine: Engine, request: WantedImage): Promise<Image> => {
  const { reference, signal } = request
  if (reference !== undefined) {
    const image = await findOr(engine, reference, signal, () => pullImage(engine, reference, signal))
    return checkImage(image, vidVersion())
  }
  const recipe = await requireRecipe()
  const image = await findOr(engine, recipe.reference, signal, () => buildOnce(engine, recipe, request))
  return checkImage(image, vidVersion())
}

import { findEngine } from '../engine/find-engine.ts'
import { inspectImage } from './image.ts'
import { readRecipe } from './recipe.ts'

/** Refuses to go on where no container engine answers. */
export const checkEngine = async (asking: {
  readonly env: NodeJS.ProcessEnv
  readonly signal: AbortSignal
}): Promise<void> => {
  await findEngine(asking.env, asking.signal)
}

/** What renders in containers would use here, in words; rejects where no engine answers. */
export const examineEngine = async (
  image: string | undefined,
  { env, signal }: { readonly env: NodeJS.ProcessEnv; readonly signal: AbortSignal },
): Promise<string> => {
  const engine = await findEngine(env, signal)
  const reference = image ?? (await readRecipe())?.reference
  const isPresent = reference !== undefined && (await inspectImage(engine, reference, signal))
  const plan = image === undefined ? 'is built by the first render' : 'is fetched by the first render'
  const state = isPresent ? 'is there' : plan
  return `${engine.kind} ${engine.version} answers${reference === undefined ? '' : `; the image ${reference} ${state}`}`
}

import { findEngine, inspectImage, readRecipe } from '@vid/container'
import type { RawFlags } from '../../../flags/flag-check.ts'
import type { CliContext } from '../../../flags/flag-command.ts'
import { createReport } from '../../../report.ts'
import { imageFacts, imageText } from '../image-text.ts'

/** `vid container info`: prints engine and image. */
export const runContainerInfo = async (rawFlags: RawFlags, context: CliContext): Promise<void> => {
  const { env, signal } = context
  const report = createReport({ ...context, json: rawFlags.json === true, quiet: false })
  const engine = await findEngine(env, signal)
  const recipe = await readRecipe()
  const image = recipe && (await inspectImage(engine, recipe.reference, signal))
  report.event({ type: 'container-image', built: false, ...imageFacts(engine, recipe, image) })
  report.result(imageText(engine, recipe, image))
}

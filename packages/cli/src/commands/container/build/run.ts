import { buildImage, findEngine, inspectImage, requireRecipe } from '@vid/container'
import { checkFlags, type RawFlags, throwErrors } from '../../../flags/flag-check.ts'
import type { CliContext } from '../../../flags/flag-command.ts'
import { createReport } from '../../../report.ts'
import { buildFlags } from '../flags.ts'
import { imageFacts, imageText } from '../image-text.ts'

/** `vid container build`: builds the image unless it is there, and prints its name. */
export const runContainerBuild = async (rawFlags: RawFlags, context: CliContext): Promise<void> => {
  const { env, signal, stderr } = context
  const { values: flags, errors } = checkFlags(buildFlags, rawFlags)
  throwErrors(errors)
  const json = flags.json === true
  const quiet = flags.quiet === true
  const report = createReport({ ...context, json, quiet })
  const engine = await findEngine(env, signal)
  const recipe = await requireRecipe()
  const found = flags.force ? undefined : await inspectImage(engine, recipe.reference, signal)
  if (!found)
    await buildImage(engine, recipe, {
      env,
      signal,
      baseImage: flags['base-image'],
      isFresh: flags.force,
      onText: (text) => void (quiet || json || stderr.write(text)),
    })
  const image = found ?? (await inspectImage(engine, recipe.reference, signal))
  if (found) report.note('the image is there already; --force builds it anew')
  report.event({ type: 'container-image', built: !found, ...imageFacts(engine, recipe, image) })
  report.result(imageText(engine, recipe, image))
}

// `vid check` over folders, with one warm renderer.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { checkProject } from '@vid/check'
import { createRenderer, openContext } from '@vid/render'

/** Opens what checks compositions: `check` resolves to the findings of one folder. */
export const openVid = async (signal) => {
  const renderer = await createRenderer()
  const context = await openContext()
  const check = async (folder, flags) => {
    const { values } = parseArgs({
      args: flags
        .join(' ')
        .replaceAll(/(--[\w-]+) (?!--)/g, '$1=')
        .split(' ')
        .filter(Boolean),
      options: {
        safe: { type: 'string' },
        loudness: { type: 'string' },
        batch: { type: 'string' },
        'variables-extremes': { type: 'boolean' },
      },
    })
    const { safe, loudness, batch } = values
    const settings = {
      composition: { projectDir: folder },
      ...(safe !== undefined && { safe }),
      ...(loudness !== undefined && { loudness: Number(loudness) }),
      ...(batch !== undefined && { batch: join(folder, batch) }),
      extremes: values['variables-extremes'] === true,
    }
    return (await checkProject(renderer, settings, context, { signal })).result.findings
  }
  return { name: 'vid check', check, close: () => renderer.close() }
}

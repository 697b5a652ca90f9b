import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { TEMPLATES } from '../../beside.ts'
import type { PluginRole } from './plugin-roles.ts'

/** Names that a template is filled with. */
export interface PluginName {
  readonly role: PluginRole
  /** Lower-case words joined by hyphens. */
  readonly word: string
  readonly packageName: string
}

/** `scripts/bundle.mjs` puts the templates there. */
const templates = fileURLToPath(TEMPLATES)

/** Text of the example page of a new package. */
export const examplePage = (): Promise<string> => readFile(join(templates, 'example.html'), 'utf8')

/** Source files of a new plugin by name, and the sentence that describes it in its main file. */
export const pluginSources = async ({ role, word, packageName }: PluginName) => {
  const folder = join(templates, role)
  const constant = word.toUpperCase().replaceAll('-', '_')
  const files: Record<string, string> = {}
  for (const name of (await readdir(folder)).sort())
    files[`src/${name}`] = (await readFile(join(folder, name), 'utf8'))
      .replaceAll(/@vid\/[a-z]+-template/g, packageName)
      .replaceAll('_TEMPLATE_', `_${constant}_`)
      .replaceAll(/\btemplate\b/g, word)
  const description = /^\/\*\* (.*) \*\/\nexport default/m.exec(files['src/index.ts'] ?? '')?.[1] ?? ''
  return { files, description }
}

import { join } from 'node:path'
import { type CommandRun, type OptionTable, type ResultText, type ResultView, shortPath } from '@vid/command'
import { describeCause, nearest } from '@vid/protocol'
import { fail } from '../../errors.ts'
import { writeNewFolder } from '../../new-folder.ts'
import { pluginPackage } from './plugin-package.ts'
import { type PluginRole, pluginRoles } from './plugin-roles.ts'
import type { PluginName } from './plugin-template.ts'

const NAME = /^(?:(@[a-z0-9][a-z0-9._-]*)\/)?([a-z][a-z0-9]*(?:-[a-z0-9]+)*)$/

const isRole = (text: string): text is PluginRole => Object.hasOwn(pluginRoles, text)

/** The package for a role and a name, such as `encoder` and `@acme/avif`. */
const nameOf = (role: string, name: string): PluginName & { readonly folder: string } => {
  const roles = Object.keys(pluginRoles)
  if (!isRole(role)) throw fail('VID_PLUGIN_ROLE_UNKNOWN', { role, near: nearest(role, roles), known: roles })
  const [, scope, word] = NAME.exec(name) ?? []
  if (word === undefined) throw fail('VID_PLUGIN_NAME_INVALID', { name })
  const { prefix } = pluginRoles[role]
  // A full package name is accepted too.
  const shortName = word.replace(/^vid-(?=.)/, '').replace(new RegExp(`^${prefix}-(?=.)`), '')
  const folder = `vid-${prefix}-${shortName}`
  return { role, word: shortName, folder, packageName: scope === undefined ? folder : `${scope}/${folder}` }
}

/** `vid plugin create`: makes a package that builds, tests and renders once its dependencies are installed. */
export const runPluginCreate = async (
  run: CommandRun<OptionTable, { readonly role: string; readonly name: string }>,
) => {
  const { cwd, signal } = run
  const { folder, ...plugin } = nameOf(run.arguments.role, run.arguments.name)
  const path = join(cwd, folder)
  const files = await pluginPackage(plugin, path)
  await writeNewFolder(path, files, signal).catch((thrown: NodeJS.ErrnoException) => {
    if (signal.aborted) throw thrown
    const isTaken = ['EEXIST', 'ENOTEMPTY', 'ENOTDIR'].includes(thrown.code ?? '')
    const reason = isTaken ? 'something is there already' : describeCause(thrown)
    throw fail('VID_PLUGIN_FOLDER', { folder, reason }, { cause: thrown })
  })
  return { folder: path, package: plugin.packageName, files: Object.keys(files) }
}

/** A new package, and how to go on with it. */
export const createdText = ({ folder }: { readonly folder: string }, { cwd }: Pick<ResultView, 'cwd'>): ResultText => ({
  before: `next: cd ${shortPath(folder, cwd)} && npm install && npm test && npm run example`,
  lines: shortPath(folder, cwd),
})

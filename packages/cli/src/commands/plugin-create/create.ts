import { join } from 'node:path'
import { describeCause, nearest } from '@vid/kernel'
import { ownVersion } from '../../beside.ts'
import { fail } from '../../errors.ts'
import type { CliContext } from '../../flags/flag-command.ts'
import { makeFolder } from '../../new-folder.ts'
import { createReport } from '../../report.ts'
import { shortPath } from '../../text.ts'
import { pluginPackage } from './plugin-package.ts'
import { type PluginRole, pluginRoles } from './plugin-roles.ts'
import type { PluginName } from './plugin-template.ts'

const NAME = /^(?:(@[a-z0-9][a-z0-9._-]*)\/)?([a-z][a-z0-9]*(?:-[a-z0-9]+)*)$/

const isRole = (text: string): text is PluginRole => Object.hasOwn(pluginRoles, text)

/** The package for a role and a name, such as `encoder` and `@acme/avif`. */
const nameOf = (role: string, name: string): PluginName & { readonly folder: string } => {
  const known = Object.keys(pluginRoles)
  if (!isRole(role)) throw fail('VID_PLUGIN_ROLE_UNKNOWN', { role, near: nearest(role, known), known })
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
  role: string,
  name: string,
  { json, quiet }: { readonly json: boolean; readonly quiet: boolean },
  context: CliContext,
): Promise<void> => {
  const { cwd, signal } = context
  const { folder, ...plugin } = nameOf(role, name)
  const path = join(cwd, folder)
  const files = await pluginPackage(plugin, await ownVersion())
  await makeFolder(path, files, signal).catch((thrown: NodeJS.ErrnoException) => {
    if (signal.aborted) throw thrown
    const isTaken = ['EEXIST', 'ENOTEMPTY', 'ENOTDIR'].includes(thrown.code ?? '')
    const reason = isTaken ? 'something is there already' : describeCause(thrown)
    throw fail('VID_PLUGIN_FOLDER', { folder, reason }, { cause: thrown })
  })
  const report = createReport({ ...context, json, quiet })
  report.event({
    type: 'plugin-create',
    folder: path,
    package: plugin.packageName,
    files: Object.keys(files),
  })
  if (!json) report.note(`next: cd ${folder} && npm install && npm test && npm run example`)
  report.result(shortPath(path, cwd))
}

import { join } from 'node:path'
import type { Option } from '@vid/command'
import type { Written } from '@vid/command/line'
import { schemaProblems, type TSchema } from '@vid/protocol'
import { fail } from '../errors.ts'
import { allowedPath, isThere } from '../roots/allowed-path.ts'
import type { Roots } from '../roots/roots.ts'
import { requireTrustedConfig } from '../roots/trusted-config.ts'
import { argumentsOf, optionsOf, type Tool } from './tool.ts'

/** Checks the arguments of a call against the input schema of its tool. */
export const checkArguments = (tool: Tool, values: unknown): Readonly<Record<string, unknown>> => {
  const problems = schemaProblems(tool.inputSchema as unknown as TSchema, values)
  if (problems.length > 0) throw fail('VID_TOOL_ARGUMENTS', { tool: tool.name, problems })
  return values as Readonly<Record<string, unknown>>
}

/** The path as the command gets it: its real place, or a word that names no file, such as a revision of git. */
const usedPath = async (text: string, use: 'read' | 'write', roots: Roots): Promise<string> => {
  const place = await allowedPath(text, roots)
  return use === 'write' || (await isThere(place)) ? place : text
}

/** A value of an option whose text is JSON, with the paths in it in their real places. */
const usedValue = async (value: unknown, names: readonly string[], roots: Roots): Promise<unknown> => {
  if (Array.isArray(value)) return Promise.all(value.map((item) => usedValue(item, names, roots)))
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(async ([name, part]) => {
    const isPath = names.includes(name) && typeof part === 'string'
    return [name, isPath ? await allowedPath(part, roots) : part] as const
  })
  return Object.fromEntries(await Promise.all(fields))
}

const writtenOption = async (option: Option, value: unknown, roots: Roots): Promise<string | boolean> => {
  if (typeof value === 'boolean') return value
  if (option.kind === 'text' && option.value)
    return JSON.stringify(await usedValue(value, option.pathFields ?? [], roots))
  return option.path === undefined ? String(value) : usedPath(String(value), option.path, roots)
}

/** The folder that a default path lies in, such as `renders` of `renders/<name>.<format>`. */
const defaultFolder = (option: Option): string | undefined => /^([\w-]+)\/</.exec(option.default ?? '')?.[1]

/** Checks what a command reads and writes without being asked: its config, its cache and the folders of its defaults. */
const checkUnasked = async (tool: Tool, line: Written, roots: Roots): Promise<void> => {
  const folders = Object.entries(optionsOf(tool)).flatMap(([name, option]) =>
    line.options[name] === undefined ? (defaultFolder(option) ?? []) : [],
  )
  const named = [...argumentsOf(tool), ...Object.entries(optionsOf(tool)).map(([name, { path }]) => ({ name, path }))]
  const projects = named
    .filter(({ path }) => path !== undefined)
    .map(({ name }) => line.arguments[name] ?? line.options[name])
    .filter((place) => typeof place === 'string')
  for (const folder of new Set([roots[0], ...projects])) {
    const place = await allowedPath(folder, roots)
    for (const name of [...folders, '.vid', '.vid/history', '.vid/comments.json', '.vid/preview.json'])
      await allowedPath(join(place, name), roots)
    await requireTrustedConfig(place, roots)
  }
}

/** The command line that a call stands for: as a person would write it, with every path in its real place. */
export const writtenLine = async (
  tool: Tool,
  values: Readonly<Record<string, unknown>>,
  { roots, author }: { readonly roots: Roots; readonly author: string },
): Promise<Written> => {
  const { facts } = tool
  const words = argumentsOf(tool).map(async ({ name, path, default: standard }) => {
    const text = (values[name] as string | undefined) ?? standard
    return [name, text === undefined || path === undefined ? text : await usedPath(text, path, roots)] as const
  })
  const options = Object.entries(optionsOf(tool)).flatMap(([name, option]) => {
    const value = values[name] ?? facts.defaults?.[name] ?? (option.path && option.default === '.' ? '.' : undefined)
    return value === undefined ? [] : [writtenOption(option, value, roots).then((text) => [name, text] as const)]
  })
  const [texts, written] = await Promise.all([Promise.all(words), Promise.all(options)])
  const line: Written = {
    arguments: Object.fromEntries(texts),
    options: {
      ...Object.fromEntries(written),
      ...(facts.author !== undefined && { [facts.author]: author }),
      json: true,
    },
  }
  await checkUnasked(tool, line, roots)
  return line
}

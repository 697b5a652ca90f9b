// Writes docs/commands.md from the commands themselves: node scripts/commands-page.mjs [--check].
import { readFileSync, writeFileSync } from 'node:fs'
import { ruleOf } from '../packages/base/command/dist/index.js'
import { allCommands } from '../packages/engine/cli/dist/index.js'
import { table } from './markdown.mjs'
import { path } from './workspaces.mjs'

const PAGE = 'docs/commands.md'

/** A text in a cell of a table. */
const cell = (text) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;')

const argumentText = ({ name, isOptional, isRest, default: value }) => {
  if (isRest) return ''
  return isOptional || value !== undefined ? ` [${name}]` : ` <${name}>`
}

const flagRow = ([name, option]) => {
  const names = [...(option.short ? [`\`-${option.short}\``] : []), `\`--${name}\``].join(', ')
  const rule = ruleOf(option)
  return [names, cell(`${option.about}${rule === '' ? '' : `: ${rule}`}`), cell(option.default ?? '')]
}

const section = ({ path: words, summary, details, arguments: args = [], options, examples = [] }) => {
  const flags = Object.entries(options)
  return [
    `## vid ${words}`,
    '',
    `${cell(summary)}${details === undefined ? '' : ` ${cell(details)}`}`,
    '',
    '```sh',
    `vid ${words}${args.map(argumentText).join('')}${flags.length > 0 ? ' [flags]' : ''}`,
    '```',
    '',
    ...(flags.length > 0 ? [table([['Flag', 'Meaning', 'Default'], ...flags.map(flagRow)]), ''] : []),
    ...(examples.length > 0 ? ['```sh', ...examples.flatMap(([about, line]) => [`# ${about}`, line]), '```', ''] : []),
  ]
}

const context = { cwd: path(''), env: {}, unguarded: (run) => run() }
const commands = await allCommands(context)
const text = [
  '# Commands',
  '',
  'Every command of vid and of its packages, as `--help` shows it. This page is made from the commands: `npm run lab -- commands-page`.',
  '',
  ...commands.filter(({ package: name }) => name === undefined).flatMap(section),
].join('\n')

if (!process.argv.includes('--check')) writeFileSync(path(PAGE), text)
else if (readFileSync(path(PAGE), 'utf8') !== text) {
  console.error(`${PAGE} is out of step with the commands: run npm run lab -- commands-page`)
  process.exitCode = 1
}

import type { PluginOf } from '@vid/kernel'
import { ruleGroups } from './rules.ts'

const articles = { error: 'An error', warning: 'A warning', note: 'A note' }

const optionNames = ({ optionsSchema }: PluginOf<'check'>) => Object.keys(optionsSchema?.properties ?? {})

const optionLines = (rule: PluginOf<'check'>): readonly string[] =>
  optionNames(rule).map((name) => {
    const value = (rule.options as Readonly<Record<string, unknown>> | undefined)?.[name]
    return `- \`${name}\`${value === undefined ? '' : `: \`${JSON.stringify(value)}\``}`
  })

const optionSection = (rule: PluginOf<'check'>): readonly string[] => {
  const lines = optionLines(rule)
  const [name] = optionNames(rule)
  if (name === undefined) return []
  const example = `check: { '${rule.rule}': { ${name}: … } }`
  return ['## Options', '', `In \`vid.config.ts\`, such as \`${example}\`, with their defaults:`, '', ...lines, '']
}

/** The page of a rule of `vid check`, in Markdown: what it reports, why, how it is mended, its options, and how it is ignored. */
export const checkRulePage = (group: string, rule: PluginOf<'check'>): string =>
  [
    `# check/${rule.rule}`,
    '',
    `${rule.what} ${articles[rule.level]}, of the group ${group}.`,
    '',
    rule.why,
    '',
    `**Do:** ${rule.hint}`,
    '',
    ...optionSection(rule),
    '## Not a mistake?',
    '',
    `Write \`data-check-ignore="${rule.rule}"\` with a reason in \`data-check-reason\` on the element or on one around it, or \`check: { '${rule.rule}': 'off' }\` in \`vid.config.ts\`.`,
    '',
  ].join('\n')

/** The pages of all rules that come with vid, by the code of their findings. */
export const checkRulePages = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(ruleGroups).flatMap(([group, makers]) =>
      makers.map((make) => {
        const rule = make()
        return [`check/${rule.rule}`, checkRulePage(group, rule)]
      }),
    ),
  )

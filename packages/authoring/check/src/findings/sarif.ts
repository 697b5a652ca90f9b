import type { CheckFinding, CheckResult } from '../events.ts'
import type { ChosenRule } from '../rules/choose-rules.ts'

const seconds = (value: number) => String(Math.round(value * 100) / 100)

const resultOf = (
  { rule, level, message, hint, from, to, where, figures, certainty, variables }: CheckFinding,
  entry: string,
) => ({
  ruleId: rule,
  level,
  message: { text: `${message} ${hint}` },
  locations: [
    {
      physicalLocation: {
        artifactLocation: { uri: where.file ?? entry, uriBaseId: 'PROJECT' },
        region: { startLine: where.line ?? 1 },
      },
      logicalLocations: [
        {
          fullyQualifiedName: [where.element, `${seconds(from)} to ${seconds(to)} s`].filter(Boolean).join(', '),
          kind: 'element',
        },
      ],
    },
  ],
  properties: { from, to, box: where.box, figures, certainty, variables },
})

/** Findings in the Static Analysis Results Interchange Format, version 2.1.0, which code hosts show. */
export const sarifOf = (
  { findings }: Pick<CheckResult, 'findings'>,
  { rules, entry }: { readonly rules: readonly ChosenRule[]; readonly entry: string },
) => ({
  $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
  version: '2.1.0',
  runs: [
    {
      tool: {
        driver: {
          name: 'vid check',
          informationUri: 'https://www.npmjs.com/package/@vid/check',
          rules: rules.map(({ plugin, level }) => ({
            id: plugin.rule,
            shortDescription: { text: plugin.what },
            fullDescription: { text: plugin.why },
            help: { text: plugin.hint },
            defaultConfiguration: { level },
          })),
        },
      },
      results: findings.map((finding) => resultOf(finding, entry)),
    },
  ],
})

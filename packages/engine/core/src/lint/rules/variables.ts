import { attributeOf, type Element } from '../../source/tree.ts'
import { type DeclarationFault, declarationProblems, parseDeclarations } from '../../variables/declarations.ts'
import { describeIssue, resolveVariables } from '../../variables/variables.ts'
import { parseJsonObject, spotAt } from '../element.ts'
import { example } from '../example.ts'
import type { LintProject } from '../project/project.ts'
import type { ExampleProject, LintRule, Spot } from '../rule.ts'

const DECLARED = 'data-composition-variables'
const VALUES = 'data-variable-values'

const declare = (json: string): ExampleProject => example({ html: `${DECLARED}='${json}'` })

/** Every element of a project with an attribute, and its text. */
function* withAttribute({ files }: LintProject, name: string) {
  for (const { file, elements } of files)
    for (const element of elements) {
      const text = attributeOf(element, name)
      if (text !== null) yield { file, element, text }
    }
}

function* faults(project: LintProject, kind: DeclarationFault): Generator<Spot> {
  for (const { file, element, text } of withAttribute(project, DECLARED))
    for (const { fault, index, variableId, reason } of declarationProblems(text)) {
      const which = variableId === null ? `declaration ${(index ?? 0) + 1}` : `variable "${variableId}"`
      const subject = index === null ? DECLARED : which
      if (fault === kind) yield spotAt(file, element, `${subject} is unusable: ${reason}`, DECLARED)
    }
}

/** How often each id occurs, in the order of the first. */
const countIds = (ids: readonly (string | null)[]): Map<string | null, number> => {
  const counts = new Map<string | null, number>()
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1)
  return counts
}

/** Ids that are declared again where one of the two declarations is unusable for another reason. */
function* duplicates(project: LintProject): Generator<Spot> {
  yield* faults(project, 'duplicate')
  for (const { file, element, text } of withAttribute(project, DECLARED)) {
    const problems = declarationProblems(text)
    const unusable = problems.filter(({ fault }) => fault !== 'duplicate' && fault !== 'json')
    const bad = countIds(unusable.map(({ variableId }) => variableId))
    const good = countIds(parseDeclarations(text).map(({ id }) => id))
    for (const [id, times] of bad) {
      const usable = good.get(id) ?? 0
      const count = usable + times
      if (id !== null && count > 1) {
        const which = usable > 0 ? 'one of them' : 'none of them'
        yield spotAt(
          file,
          element,
          `variable "${id}" is declared ${count} times, and ${which} is ${usable > 0 ? 'un' : ''}usable.`,
          DECLARED,
        )
      }
    }
  }
}

const declarationRule = (fault: DeclarationFault, rule: Omit<LintRule, 'severity' | 'check'>): LintRule => ({
  ...rule,
  severity: 'error',
  check: (project) => faults(project, fault),
})

const dropped =
  'An invalid declaration is dropped: scripts see no value for it, and every value passed for it counts as undeclared.'
const title = '{ "id": "title", "type": "string", "label": "Title", "default": "Hello" }'
const text = '{ "id": "text", "type": "string", "label": "Text", "default": "Hello" }'
const mood = '"id": "mood", "type": "enum", "label": "Mood", "default": "calm"'
const goodMood = declare(`[{ ${mood}, "options": [{ "value": "calm", "label": "Calm" }] }]`)

/** The declarations that apply to a host's values; undefined when its file cannot be used. */
const declarationsFor = ({ hosts, files }: LintProject, element: Element): string | null | undefined => {
  const nested = hosts.find((host) => host.element === element)
  if (nested === undefined) return attributeOf(element, DECLARED)
  return files.find(({ file }) => file === nested.file)?.declarationsJson
}

const embedded = `<template>
  <div data-composition-id="card" ${DECLARED}='[${title}]'>
    <p data-var-text="title"></p>
  </div>
</template>
`
const host = (values: string): ExampleProject =>
  example(
    { body: `<div data-composition-src="card.html" data-start="0" ${VALUES}='${values}'></div>` },
    { 'card.html': embedded },
  )

/** Rules about declared variables and about the values of hosts. */
export const variableRules: readonly LintRule[] = [
  declarationRule('json', {
    name: 'variables-json',
    what: 'A `data-composition-variables` that is not a JSON array.',
    why: 'None of its variables is declared.',
    hint: 'Write a JSON array of objects, in single quotes.',
    bad: declare(`[${title},]`),
    good: declare(`[${title}]`),
  }),
  declarationRule('field', {
    name: 'variable-field',
    what: 'A declared variable without `id`, `type`, `label` or `default`, or with a field of the wrong type.',
    why: dropped,
    hint: 'Write an id, a type, a label and a default.',
    bad: declare('[{ "id": "title", "type": "string", "default": "Hello" }]'),
    good: declare(`[${title}]`),
  }),
  declarationRule('type', {
    name: 'variable-type',
    what: 'A declared variable of a type that does not exist.',
    why: dropped,
    hint: 'Use string, number, color, boolean or enum; pass structured data as JSON in a string.',
    bad: declare('[{ "id": "title", "type": "text", "label": "Title", "default": "Hello" }]'),
    good: declare(`[${title}]`),
  }),
  declarationRule('default', {
    name: 'variable-default',
    what: 'A default that does not fit the type of its variable.',
    why: dropped,
    hint: 'Write a default of that type: 12 for a number, "#rrggbb" for a color, true or false for a boolean.',
    bad: declare('[{ "id": "size", "type": "number", "label": "Size", "default": "12" }]'),
    good: declare('[{ "id": "size", "type": "number", "label": "Size", "default": 12 }]'),
  }),
  declarationRule('options', {
    name: 'variable-options',
    what: 'An enum without options, with invalid options, or with a default that is not one of them.',
    why: dropped,
    hint: 'Write "options" as an array of { "value", "label" }; the value of one of them must be the default.',
    bad: declare(`[{ ${mood} }]`),
    good: goodMood,
  }),
  {
    name: 'variable-duplicate',
    severity: 'error',
    check: duplicates,
    what: 'Two declarations with the same id.',
    why: 'Only the first declaration counts; the second one and its default are ignored.',
    hint: 'Rename or remove one of them.',
    bad: declare(`[${title}, ${title}]`),
    good: declare(`[${title}, ${text}]`),
  },
  {
    name: 'host-values-json',
    severity: 'error',
    what: 'A `data-variable-values` that is not a JSON object.',
    why: 'The embedded composition uses its defaults instead of the values.',
    hint: 'Write a JSON object of values by variable id, in single quotes.',
    bad: host('{ title: "Hi" }'),
    good: host('{ "title": "Hi" }'),
    *check(project) {
      for (const { file, element, text } of withAttribute(project, VALUES)) {
        const read = parseJsonObject(text)
        if ('reason' in read) yield spotAt(file, element, `${VALUES} is unusable: ${read.reason}`, VALUES)
      }
    },
  },
  {
    name: 'host-values',
    severity: 'warning',
    what: 'A value in `data-variable-values` that the embedded composition does not declare or declares with another type.',
    why: 'The value is passed on unchanged, and is an error with `--strict-variables`. Usually the name is misspelled.',
    hint: 'Correct the value, or declare it in the embedded composition.',
    bad: host('{ "titel": "Hi" }'),
    good: host('{ "title": "Hi" }'),
    *check(project) {
      for (const { file, element, text } of withAttribute(project, VALUES)) {
        const read = parseJsonObject(text)
        const declared = declarationsFor(project, element)
        if ('reason' in read || declared === undefined) continue
        for (const issue of resolveVariables(parseDeclarations(declared), read.value).issues)
          yield spotAt(file, element, describeIssue(issue), VALUES)
      }
    },
  },
]

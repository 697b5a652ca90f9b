import { attributeOf } from '../../source/tree.ts'
import { VID_ATTRIBUTES } from '../../source/vid-attributes.ts'
import { parseDeclarations } from '../../variables/declarations.ts'
import { parseJsonObject, spotAt } from '../element.ts'
import { example } from '../example.ts'
import { nearName } from '../near-name.ts'
import type { LintFile, LintProject } from '../project/project.ts'
import type { LintRule } from '../rule.ts'

const KNOWN = [...VID_ATTRIBUTES.keys()]

const camelCase = (name: string) =>
  name.replace(/^data-/, '').replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Whether the project's own scripts or styles use an attribute, so that it means something to them. */
const isUsed = ({ files }: LintProject, name: string): boolean => {
  const property = new RegExp(`\\b${camelCase(name)}\\b`)
  return files.some(
    ({ scripts, sheets }) =>
      scripts.some(({ facts: { text } }) => text.includes(name) || property.test(text)) ||
      sheets.some(({ sheet }) => sheet.toString().includes(name)),
  )
}

const BINDINGS = ['data-var-text', 'data-var-src']

/** Ids that a binding of a file may name: what the file declares, and what its hosts pass to it. */
const idsFor = ({ hosts }: LintProject, { file, elements, declarationsJson }: LintFile): Set<string> => {
  const passed = [...elements, ...hosts.flatMap((host) => (host.file === file ? host.element : []))].flatMap(
    (element) => {
      const json = attributeOf(element, 'data-variable-values')
      const read = json === null ? null : parseJsonObject(json)
      return read && 'value' in read ? Object.keys(read.value) : []
    },
  )
  const declared = [
    declarationsJson,
    ...elements.map((element) => attributeOf(element, 'data-composition-variables')),
  ].flatMap((json) => parseDeclarations(json).map(({ id }) => id))
  return new Set([...declared, ...passed])
}

const declared = `data-composition-variables='[{ "id": "title", "type": "string", "label": "Title", "default": "Hello" }]'`

/** Rules about the names of attributes, and about the variables that attributes name. */
export const attributeRules: readonly LintRule[] = [
  {
    name: 'misspelled-attribute',
    severity: 'warning',
    what: 'A `data-` attribute that is probably a misspelled attribute of vid, and that no script or style uses.',
    why: 'An unknown attribute is ignored.',
    hint: 'Correct the name of the attribute.',
    bad: example({ body: '<p data-strat="1">Hello</p>' }),
    good: example({ body: '<p data-start="1">Hello</p>' }),
    *check(project) {
      for (const { file, elements } of project.files)
        for (const element of elements)
          for (const { name } of element.attrs) {
            if (!name.startsWith('data-') || KNOWN.includes(name)) continue
            const meant = nearName(name, KNOWN)
            if (meant !== undefined && !isUsed(project, name))
              yield {
                ...spotAt(file, element, `"${name}" is not an attribute of vid; did you mean "${meant}"?`, name),
                hint: `Write ${meant}, or use the attribute in a script or a style.`,
              }
          }
    },
  },
  {
    name: 'unknown-variable',
    severity: 'warning',
    what: 'A `data-var-text` or `data-var-src` that refers to an undeclared variable.',
    why: 'It has no value, so the element stays unchanged.',
    hint: 'Correct the id, or declare the variable in data-composition-variables.',
    bad: example({ html: declared, body: '<p data-var-text="titel">Hello</p>' }),
    good: example({ html: declared, body: '<p data-var-text="title">Hello</p>' }),
    *check(project) {
      for (const file of project.files) {
        const ids = idsFor(project, file)
        for (const element of file.elements)
          for (const name of BINDINGS) {
            const id = attributeOf(element, name)?.trim()
            if (!id || ids.has(id)) continue
            const listed = ids.size > 0 ? [...ids].map((id) => `"${id}"`).join(', ') : 'none'
            const message = `${name}="${id}" names a variable that is not declared; declared: ${listed}.`
            yield spotAt(file.file, element, message, name)
          }
      }
    },
  },
]

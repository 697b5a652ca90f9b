// What CloudFormation refuses in a template before it makes anything.
import { serviceError } from '../service.mjs'

const problem = (message) => serviceError('ValidationError', message)
const NAME = /^[A-Za-z0-9]{1,255}$/
const MOST = { Parameters: 200, Resources: 500, Outputs: 200, Mappings: 200 }
const MAX_DESCRIPTION_BYTES = 1024
const MAX_PARAMETER_BYTES = 4096
const MAX_PARAMETER_DESCRIPTION = 4000
const RESOURCE_WORDS = [
  'Type',
  'Properties',
  'DependsOn',
  'Condition',
  'Metadata',
  'DeletionPolicy',
  'UpdateReplacePolicy',
  'CreationPolicy',
  'UpdatePolicy',
]
const POLICIES = {
  DeletionPolicy: ['Delete', 'Retain', 'RetainExceptOnCreate', 'Snapshot'],
  UpdateReplacePolicy: ['Delete', 'Retain', 'Snapshot'],
}

const nulls = (value, path = '') => {
  if (value === null) return [path]
  if (typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, member]) => nulls(member, `${path}/${name}`))
}

const checkResource = (name, resource) => {
  if (typeof resource.Type !== 'string')
    throw problem(`Template format error: [/Resources/${name}] Every Resources object must contain a Type member.`)
  const strange = Object.keys(resource).filter((word) => !RESOURCE_WORDS.includes(word))
  if (strange.length > 0) throw problem(`Invalid template resource property '${strange[0]}' of resource ${name}`)
  for (const [word, values] of Object.entries(POLICIES))
    if (resource[word] !== undefined && !values.includes(resource[word]))
      throw problem(`Template format error: Unrecognized ${word} ${resource[word]} for resource ${name}`)
}

const checkReferences = (template) => {
  const resources = { ...template.Parameters, ...template.Resources }
  const names = (value) => {
    if (typeof value !== 'object') return []
    return Object.entries(value).flatMap(([word, argument]) => {
      if (word === 'Ref') return [argument]
      if (word === 'Fn::GetAtt') return [Array.isArray(argument) ? argument[0] : argument.split('.')[0]]
      if (word !== 'Fn::Sub') return names(argument)
      const [text, variables = {}] = [argument].flat()
      const references = [...text.matchAll(/\$\{([^!}][^}]*)\}/g)].map(([, name]) => name.split('.')[0])
      return [...references.filter((name) => !(name in variables)), ...names(variables)]
    })
  }
  for (const section of ['Resources', 'Outputs', 'Conditions']) {
    const missing = names(template[section] ?? {}).filter((name) => !(name in resources) && !name.startsWith('AWS::'))
    if (missing.length > 0)
      throw problem(
        `Template format error: Unresolved resource dependencies [${[...new Set(missing)].join(', ')}] in the ${section} block of the template`,
      )
  }
}

/** Refuses nulls, names, lengths and numbers that CloudFormation refuses, and references to what is not there. */
export const checkLimits = (template) => {
  const [first] = nulls(template)
  if (first !== undefined) throw problem(`Template format error: [${first}] 'null' values are not allowed in templates`)
  if (Buffer.byteLength(template.Description ?? '') > MAX_DESCRIPTION_BYTES)
    throw problem(`Template format error: Description may not exceed ${MAX_DESCRIPTION_BYTES} bytes in size.`)
  for (const [section, most] of Object.entries(MOST)) {
    const names = Object.keys(template[section] ?? {})
    if (names.length > most)
      throw problem(
        `Template format error: Number of ${section.toLowerCase()}, ${names.length}, is greater than maximum allowed, ${most}`,
      )
    const strange = names.find((name) => !NAME.test(name))
    if (strange !== undefined) throw problem(`Template format error: ${section} name ${strange} is non alphanumeric.`)
  }
  for (const [name, { Description = '' }] of Object.entries(template.Parameters ?? {}))
    if (Description.length > MAX_PARAMETER_DESCRIPTION)
      throw problem(`Template format error: Description of the parameter ${name} is too long.`)
  for (const [name, resource] of Object.entries(template.Resources)) checkResource(name, resource)
  checkReferences(template)
}

/** Refuses the value of a parameter that is too long. */
export const checkParameterLength = (name, value) => {
  if (Buffer.byteLength(value) > MAX_PARAMETER_BYTES)
    throw problem(`Parameter '${name}' may not exceed ${MAX_PARAMETER_BYTES} bytes in size.`)
}

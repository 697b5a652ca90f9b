// Templates of CloudFormation: their parameters, conditions and functions, resolved to values.
import { account, region, serviceError } from '../service.mjs'
import { checkLimits, checkParameterLength } from './limits.mjs'

const problem = (message) => serviceError('ValidationError', message)
const SECTIONS = [
  'AWSTemplateFormatVersion',
  'Description',
  'Metadata',
  'Parameters',
  'Conditions',
  'Resources',
  'Outputs',
  'Rules',
  'Mappings',
]

/** Reads a template, which is JSON here. */
export const parseTemplate = (text) => {
  let template
  try {
    template = JSON.parse(text)
  } catch (error) {
    throw problem(`Template format error: JSON not well-formed. (${error.message})`)
  }
  const unknown = Object.keys(template).find((name) => !SECTIONS.includes(name))
  if (unknown) throw problem(`Invalid template property or properties [${unknown}]`)
  if (Object.keys(template.Resources ?? {}).length === 0)
    throw problem('Template format error: At least one Resources member must be defined.')
  checkLimits(template)
  return template
}

const checkParameter = (name, value, rule) => {
  const wrong = (what) => problem(`Parameter '${name}' must ${what}`)
  checkParameterLength(name, value)
  if (rule.Type === 'Number' && !Number.isFinite(Number(value))) throw wrong('be a number.')
  if (rule.MinValue !== undefined && Number(value) < rule.MinValue)
    throw wrong(`be a number not less than ${rule.MinValue}`)
  if (rule.MaxValue !== undefined && Number(value) > rule.MaxValue)
    throw wrong(`be a number not greater than ${rule.MaxValue}`)
  if (rule.AllowedValues && !rule.AllowedValues.map(String).includes(value)) throw wrong(`be one of AllowedValues`)
  if (rule.AllowedPattern && !new RegExp(`^(?:${rule.AllowedPattern})$`).test(value))
    throw wrong(`match pattern ${rule.AllowedPattern}`)
  return value
}

/**
 * Values of the parameters of a template.
 * @param {object} template
 * @param {readonly { ParameterKey: string, ParameterValue?: string, UsePreviousValue?: string }[]} given
 * @param {Readonly<Record<string, string>>} previous
 */
export const parameterValues = (template, parameters, previous) => {
  const rules = template.Parameters ?? {}
  const strange = parameters
    .filter(({ ParameterKey }) => !(ParameterKey in rules))
    .map((parameter) => parameter.ParameterKey)
  if (strange.length > 0) throw problem(`Parameters: [${strange.join(', ')}] do not exist in the template`)
  const missing = []
  const values = Object.entries(rules).flatMap(([name, rule]) => {
    const one = parameters.find(({ ParameterKey }) => ParameterKey === name)
    const old = one?.UsePreviousValue === 'true' ? previous[name] : undefined
    const value = old ?? one?.ParameterValue ?? rule.Default
    if (value === undefined) missing.push(name)
    return value === undefined ? [] : [[name, checkParameter(name, String(value), rule)]]
  })
  if (missing.length > 0) throw problem(`Parameters: [${missing.join(', ')}] must have values`)
  return Object.fromEntries(values)
}

const NOTHING = Symbol('AWS::NoValue')
const FUNCTIONS = [
  'Ref',
  'Fn::GetAtt',
  'Fn::Sub',
  'Fn::If',
  'Fn::Join',
  'Fn::Select',
  'Fn::Split',
  'Fn::Equals',
  'Fn::Not',
  'Fn::And',
  'Fn::Or',
]

const functionOf = (value) => {
  const names = Object.keys(value)
  const [name] = names
  if (names.length !== 1 || (name !== 'Ref' && name !== 'Condition' && !name.startsWith('Fn::'))) return undefined
  if (name !== 'Condition' && !FUNCTIONS.includes(name)) throw problem(`Template error: ${name} is not here`)
  return name
}

/**
 * Evaluates values of a template.
 * @param {object} template
 * @param {{ name: string, id: string }} stack
 * @param {Readonly<Record<string, string>>} parameters
 * @param {(name: string) => { id: string, attributes: Readonly<Record<string, string>> }} resourceOf
 */
export const evaluator = (template, stack, parameters, resourceOf) => {
  const pseudo = {
    'AWS::Region': region,
    'AWS::AccountId': account,
    'AWS::Partition': 'aws',
    'AWS::URLSuffix': 'amazonaws.com',
    'AWS::StackName': stack.name,
    'AWS::StackId': stack.id,
    'AWS::NoValue': NOTHING,
  }
  const ref = (name) => pseudo[name] ?? parameters[name] ?? resourceOf(name).id
  const attribute = (name, part) => {
    const value = resourceOf(name).attributes[part]
    if (value === undefined)
      throw problem(`Template error: resource ${name} does not support attribute type ${part} in Fn::GetAtt`)
    return value
  }
  const substitute = (argument) => {
    const [text, variables] = Array.isArray(argument) ? argument : [argument, {}]
    return text
      .replaceAll(/\$\{([^!}][^}]*)\}/g, (_, name) => {
        if (name in variables) return evaluate(variables[name])
        const dot = name.indexOf('.')
        return dot > 0 ? attribute(name.slice(0, dot), name.slice(dot + 1)) : ref(name)
      })
      .replaceAll('${!', '${')
  }
  const condition = (name) => {
    const condition = template.Conditions?.[name]
    if (condition === undefined) throw problem(`Template format error: Unresolved condition dependency ${name}`)
    return evaluate(condition)
  }
  const call = (name, argument) => {
    switch (name) {
      case 'Ref':
        return ref(argument)
      case 'Condition':
        return condition(argument)
      case 'Fn::GetAtt':
        return attribute(...(Array.isArray(argument) ? argument : argument.split('.')))
      case 'Fn::Sub':
        return substitute(argument)
      case 'Fn::If':
        return evaluate(condition(argument[0]) ? argument[1] : argument[2])
      case 'Fn::Join':
        return evaluate(argument[1]).join(argument[0])
      case 'Fn::Select':
        return evaluate(argument[1])[Number(evaluate(argument[0]))]
      case 'Fn::Split':
        return evaluate(argument[1]).split(argument[0])
      case 'Fn::Equals':
        return String(evaluate(argument[0])) === String(evaluate(argument[1]))
      case 'Fn::Not':
        return !evaluate(argument[0])
      case 'Fn::And':
        return argument.every(evaluate)
      default:
        return argument.some(evaluate)
    }
  }
  const evaluate = (value) => {
    if (Array.isArray(value)) return value.map((item) => evaluate(item)).filter((item) => item !== NOTHING)
    if (typeof value !== 'object' || value === null) return value
    const name = functionOf(value)
    if (name) return call(name, value[name])
    const members = Object.entries(value).map(([key, member]) => [key, evaluate(member)])
    return Object.fromEntries(members.filter(([, member]) => member !== NOTHING))
  }
  return { evaluate, condition }
}

/** Names of resources that a value refers to. */
const dependencies = (value, names) => {
  const text = JSON.stringify(value)
  const isTrue = (name) =>
    [`{"Ref":"${name}"}`, `{"Fn::GetAtt":["${name}"`, `{"Fn::GetAtt":"${name}.`, `\${${name}}`, `\${${name}.`].some(
      (word) => text.includes(word),
    )
  return names.filter(isTrue)
}

/** Resources in an order in which each comes after those it refers to. */
export const inOrder = (resources) => {
  const names = Object.keys(resources)
  const order = []
  const visit = (name, path) => {
    if (order.includes(name)) return
    if (path.includes(name)) throw problem(`Circular dependency between resources: [${path.join(', ')}]`)
    const { DependsOn = [], ...rest } = resources[name]
    for (const dependency of [DependsOn].flat())
      if (!names.includes(dependency))
        throw problem(
          `Template format error: Unresolved resource dependencies [${dependency}] in the Resources block of the template`,
        )
    const needed = [...[DependsOn].flat(), ...dependencies(rest, names)].filter((dependency) => dependency !== name)
    for (const dependency of needed) visit(dependency, [...path, name])
    order.push(name)
  }
  for (const name of names) visit(name, [])
  return order
}

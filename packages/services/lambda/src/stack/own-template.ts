import { refuseProblems } from '../invalid-config.ts'
import { functionConditions } from './function-resources.ts'
import { packageKey, readPackage } from './package-object.ts'
import { parametersOf, type StackSettings, settingsProblems } from './stack-parameters.ts'
import { stackTemplate } from './template.ts'
import type { StackTemplate } from './values.ts'

/** The stack of a template that another tool deploys. */
export interface OwnTemplateOptions extends Omit<StackSettings, 'tags'> {
  /** Zip of the function that `buildFunctionPackage` has built; required unless there is an `image`. */
  readonly packageFile?: string
  readonly signal?: AbortSignal
}

/** A template with its settings written into it. */
export interface OwnTemplate {
  readonly template: StackTemplate
  /** Key of the zip in the bucket of the parameter `CodeBucket`; undefined for an image. */
  readonly packageKey: string | undefined
}

type Values = Readonly<Record<string, string | number>>

const NOTHING = Symbol('AWS::NoValue')

/** Whether a condition of a template holds. */
const holds = (condition: unknown, values: Values): boolean => {
  const { 'Fn::Not': negated, 'Fn::Equals': pair } = Object(condition)
  if (negated) return !holds(negated[0], values)
  const [one, other] = pair.map((part: unknown) => String(written(part, values)))
  return one === other
}

/** Writes the values of parameters into a part of a template. */
const written = (part: unknown, values: Values): unknown => {
  if (Array.isArray(part)) return part.map((item) => written(item, values)).filter((item) => item !== NOTHING)
  if (typeof part !== 'object' || part === null) return part
  const { Ref: name, 'Fn::Sub': text, 'Fn::If': choice } = part as Record<string, unknown>
  if (name === 'AWS::NoValue') return NOTHING
  if (typeof name === 'string') return values[name] ?? part
  if (typeof text === 'string') {
    const filled = text.replaceAll(/\$\{(\w+)\}/g, (whole, key) => String(values[key] ?? whole))
    return filled.includes('${') ? { 'Fn::Sub': filled } : filled
  }
  if (Array.isArray(choice)) {
    const [condition, yes, no] = choice
    return written(holds(Object(functionConditions)[condition], values) ? yes : no, values)
  }
  const members = Object.entries(part).map(([key, member]) => [key, written(member, values)] as const)
  return Object.fromEntries(members.filter(([, member]) => member !== NOTHING))
}

/** The bucket of a stack does not exist when the stack is created with its function. */
const CODE_BUCKET = {
  Type: 'String',
  MinLength: 3,
  Description: 'Bucket of the package of the function, in its region',
}

const withCodeBucket = (resources: StackTemplate['Resources']): StackTemplate['Resources'] => {
  const { RenderFunction, ...others } = resources
  const { Code, ...properties } = RenderFunction?.Properties ?? {}
  const codeOfParameter = { ...(Code as object), S3Bucket: { Ref: 'CodeBucket' } }
  return {
    ...others,
    RenderFunction: { Type: 'AWS::Lambda::Function', Properties: { ...properties, Code: codeOfParameter } },
  }
}

/**
 * The template of a stack for a tool other than `vid lambda deploy`. Settings are no parameters: tools keep the values of
 * parameters when a template changes.
 */
export const ownTemplate = async (options: OwnTemplateOptions): Promise<OwnTemplate> => {
  const { packageFile = '', image, signal } = options
  refuseProblems(settingsProblems(options))
  const digest = image === undefined ? (await readPackage(packageFile, signal)).sha256 : undefined
  const { Conditions: _, ...template } = stackTemplate(digest === undefined ? 'image' : 'package', options)
  const { Parameters } = template
  const settings = Object.entries(Parameters).map(([name, { Default }]) => [name, Default] as const)
  const chosen = parametersOf(options, digest).map(({ ParameterKey = '', ParameterValue = '' }) => [
    ParameterKey,
    Parameters[ParameterKey]?.Type === 'Number' ? Number(ParameterValue) : ParameterValue,
  ])
  const values = Object.fromEntries([...settings, ...chosen])
  const resources = written(template.Resources, values) as StackTemplate['Resources']
  return {
    template: {
      ...template,
      Parameters: digest === undefined ? {} : { CodeBucket: CODE_BUCKET },
      Resources: digest === undefined ? resources : withCodeBucket(resources),
      Outputs: written(template.Outputs, values) as StackTemplate['Outputs'],
    },
    packageKey: digest === undefined ? undefined : packageKey(digest),
  }
}

import { refuseProblems } from '../invalid-config.ts'
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

/** A template with its settings as the defaults of its parameters. */
export interface OwnTemplate {
  readonly template: StackTemplate
  /** Key of the zip in the bucket of the parameter `CodeBucket`; undefined for an image. */
  readonly packageKey: string | undefined
}

const withDefaults = (template: StackTemplate, values: Readonly<Record<string, string>>): StackTemplate => ({
  ...template,
  Parameters: Object.fromEntries(
    Object.entries(template.Parameters).map(([name, parameter]) => {
      const value = values[name]
      if (value === undefined) return [name, parameter]
      return [name, { ...parameter, Default: parameter.Type === 'Number' ? Number(value) : value }]
    }),
  ),
})

/** The bucket of a stack does not exist when the stack is created with its function. */
const withCodeBucket = (template: StackTemplate): StackTemplate => {
  const { RenderFunction, ...others } = template.Resources
  const { Code, ...properties } = RenderFunction?.Properties ?? {}
  const codeOfParameter = { ...(Code as object), S3Bucket: { Ref: 'CodeBucket' } }
  return {
    ...template,
    Parameters: {
      CodeBucket: { Type: 'String', MinLength: 3, Description: 'Bucket of the package of the function' },
      ...template.Parameters,
    },
    Resources: {
      ...others,
      RenderFunction: { Type: 'AWS::Lambda::Function', Properties: { ...properties, Code: codeOfParameter } },
    },
  }
}

/** The template of a stack for a tool other than `vid lambda deploy`. */
export const ownTemplate = async (options: OwnTemplateOptions): Promise<OwnTemplate> => {
  const { packageFile = '', image, signal } = options
  refuseProblems(settingsProblems(options))
  const digest = image === undefined ? (await readPackage(packageFile, signal)).sha256 : undefined
  const defaults = Object.fromEntries(
    parametersOf(options, digest).map(({ ParameterKey = '', ParameterValue = '' }) => [ParameterKey, ParameterValue]),
  )
  const template = withDefaults(stackTemplate(digest === undefined ? 'image' : 'package', options), defaults)
  return digest === undefined
    ? { template, packageKey: undefined }
    : { template: withCodeBucket(template), packageKey: packageKey(digest) }
}

/** A value in a template: text, or an intrinsic function of CloudFormation. */
export type TemplateValue =
  | string
  | { readonly Ref: string }
  | { readonly 'Fn::GetAtt': readonly [string, string] }
  | { readonly 'Fn::Sub': string }

/** A statement of an IAM policy. */
export interface PolicyStatement {
  readonly Sid?: string
  readonly Effect: 'Allow' | 'Deny'
  readonly Action: string | readonly string[]
  readonly Resource: TemplateValue | readonly TemplateValue[]
  readonly Principal?: unknown
  readonly Condition?: unknown
}

/** An IAM policy as JSON. */
export interface PolicyDocument {
  readonly Version: '2012-10-17'
  readonly Statement: readonly PolicyStatement[]
}

/** A policy with these statements. */
export const policy = (...statements: readonly PolicyStatement[]): PolicyDocument => ({
  Version: '2012-10-17',
  Statement: statements,
})

/** One resource of a template. */
export interface TemplateResource {
  readonly Type: string
  readonly Properties: Readonly<Record<string, unknown>>
  readonly DeletionPolicy?: 'Retain' | 'RetainExceptOnCreate'
  readonly UpdateReplacePolicy?: 'Retain'
}

/** A CloudFormation template. */
export interface StackTemplate {
  readonly AWSTemplateFormatVersion: '2010-09-09'
  readonly Description: string
  readonly Parameters: Readonly<Record<string, { readonly Type: string; readonly [rule: string]: unknown }>>
  readonly Conditions?: Readonly<Record<string, unknown>>
  readonly Resources: Readonly<Record<string, TemplateResource>>
  readonly Outputs: Readonly<Record<string, { readonly Description: string; readonly Value: TemplateValue }>>
}

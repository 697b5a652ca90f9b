// What the types of resources do in the services here. A property that a type does not know is refused, as AWS does.
import { randomBytes } from 'node:crypto'
import { account, region } from '../service.mjs'

const roleArn = (name) => `arn:aws:iam::${account}:role/${name}`
const random = (length) => randomBytes(length).toString('hex').slice(0, length)
/** A name that CloudFormation makes: of the stack, the resource, and random characters. */
const madeName = (stack, name) => `${stack.name}-${name}-${random(12)}`
const partsOf = (id) => id.split(':')
const LETTER = /\{\{[^}]*\}\}/

/** Text of a definition with its substitutions. */
const definitionText = ({ Definition, DefinitionString, DefinitionSubstitutions = {} }) => {
  const text = DefinitionString ?? JSON.stringify(Definition)
  const substituted = text.replaceAll(/\$\{(\w+)\}/g, (whole, name) => DefinitionSubstitutions[name] ?? whole)
  if (LETTER.test(substituted)) throw new Error('a dynamic reference is not here')
  return substituted
}

/**
 * The types, by their names: `known` properties, those whose change makes a new resource, and what is done.
 * @param {{ buckets: object, functions: object, machines: object, logs: object, roles: object }} services
 */
export const resourceTypes = ({ buckets, functions, machines, logs, roles }) => ({
  'AWS::S3::Bucket': {
    known: [
      'BucketName',
      'BucketEncryption',
      'PublicAccessBlockConfiguration',
      'OwnershipControls',
      'LifecycleConfiguration',
      'VersioningConfiguration',
      'CorsConfiguration',
      'Tags',
    ],
    replaced: ['BucketName'],
    create: async (stack, name, { BucketName }) => {
      const bucket = BucketName ?? madeName(stack, name).toLowerCase()
      await buckets.create(bucket)
      const attributes = { Arn: `arn:aws:s3:::${bucket}`, DomainName: `${bucket}.s3.amazonaws.com` }
      return { id: bucket, attributes }
    },
    remove: (id) => buckets.remove(id),
  },
  'AWS::S3::BucketPolicy': {
    known: ['Bucket', 'PolicyDocument'],
    replaced: ['Bucket'],
    create: async (_stack, _name, { Bucket }) => ({ id: Bucket, attributes: {} }),
  },
  'AWS::IAM::Role': {
    known: [
      'AssumeRolePolicyDocument',
      'Policies',
      'ManagedPolicyArns',
      'PermissionsBoundary',
      'RoleName',
      'Description',
      'Tags',
    ],
    replaced: ['RoleName'],
    create: async (stack, name, { RoleName, Policies }) => {
      const id = RoleName ?? madeName(stack, name)
      const Arn = roleArn(id)
      roles.set(Arn, Policies)
      return { id, attributes: { Arn, RoleId: `AROA${random(17).toUpperCase()}` } }
    },
    update: async (id, { Policies }) => roles.set(roleArn(id), Policies),
    remove: async (id) => roles.remove(roleArn(id)),
  },
  'AWS::IAM::Policy': {
    known: ['PolicyDocument', 'PolicyName', 'Roles'],
    create: async (stack, name) => ({ id: madeName(stack, name), attributes: {} }),
  },
  'AWS::Logs::LogGroup': {
    known: ['LogGroupName', 'RetentionInDays', 'Tags'],
    replaced: ['LogGroupName'],
    create: async (stack, name, { LogGroupName }) => {
      const id = LogGroupName ?? madeName(stack, name)
      logs.create(id)
      return { id, attributes: { Arn: `arn:aws:logs:${region}:${account}:log-group:${id}:*` } }
    },
    remove: (id) => logs.remove(id),
  },
  'AWS::Lambda::Function': {
    known: [
      'FunctionName',
      'Description',
      'PackageType',
      'Code',
      'Runtime',
      'Handler',
      'Architectures',
      'Role',
      'Timeout',
      'MemorySize',
      'EphemeralStorage',
      'ReservedConcurrentExecutions',
      'LoggingConfig',
      'TracingConfig',
      'Environment',
      'Tags',
    ],
    replaced: ['FunctionName', 'PackageType'],
    create: async (stack, name, properties) => {
      const FunctionName = properties.FunctionName ?? madeName(stack, name)
      if (properties.Code.ImageUri) throw new Error('images are not here')
      const { FunctionArn } = await functions.create({ ...properties, FunctionName })
      const reserved = properties.ReservedConcurrentExecutions
      if (reserved !== undefined) functions.reserve(FunctionName, Number(reserved))
      return { id: FunctionName, attributes: { Arn: FunctionArn } }
    },
    update: async (id, properties, old) => {
      if (JSON.stringify(properties.Code) !== JSON.stringify(old.Code)) await functions.updateCode(id, properties.Code)
      functions.updateConfiguration(id, properties)
      const reserved = properties.ReservedConcurrentExecutions
      functions.reserve(id, reserved === undefined ? undefined : Number(reserved))
    },
    remove: (id) => functions.remove(id),
  },
  'AWS::Lambda::Version': {
    known: ['CodeSha256', 'Description', 'FunctionName', 'ProvisionedConcurrencyConfig', 'RuntimePolicy'],
    replaced: ['CodeSha256', 'Description', 'FunctionName'],
    create: async (_stack, _name, { FunctionName, Description }) => {
      const { FunctionArn, Version, isNew } = functions.publish(FunctionName, { Description })
      if (!isNew)
        throw new Error(
          `A version for this Lambda function exists ( ${Version} ). Modify the function to create a new version.`,
        )
      return { id: FunctionArn, attributes: { FunctionArn, Version } }
    },
    remove: (id) => functions.remove(id),
  },
  'AWS::StepFunctions::StateMachine': {
    known: [
      'StateMachineName',
      'StateMachineType',
      'RoleArn',
      'Definition',
      'DefinitionString',
      'DefinitionSubstitutions',
      'LoggingConfiguration',
      'TracingConfiguration',
      'Tags',
    ],
    replaced: ['StateMachineName', 'StateMachineType'],
    create: async (_stack, name, properties) => {
      const machineName = properties.StateMachineName ?? `${name}-${random(12)}`
      const { RoleArn: roleArn, StateMachineType: type } = properties
      const { arn } = machines.create({ name: machineName, definition: definitionText(properties), roleArn, type })
      return { id: arn, attributes: { Arn: arn, Name: partsOf(arn).at(-1) } }
    },
    update: async (id, properties) => {
      machines.update(id, { definition: definitionText(properties), roleArn: properties.RoleArn })
    },
    remove: async (id) => machines.remove(id),
  },
})

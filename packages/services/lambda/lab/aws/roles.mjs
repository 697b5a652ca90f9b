// Roles: what their policies allow, as far as the calls here need it. Conditions of statements are not looked at.
import { serviceError } from './service.mjs'

const pattern = (text) =>
  new RegExp(
    `^${text
      .replaceAll(/[\\^$+.()|[\]{}]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
  )
const matches = (patterns, text) => [patterns].flat().some((rule) => pattern(rule).test(text))

/** Action and resource of a request to S3, as IAM names them. */
const s3Action = ({ method, path, query, copySource }) => {
  const [bucket, ...rest] = path.split('/')
  const key = rest.join('/')
  const resource = `arn:aws:s3:::${bucket}${key ? `/${key}` : ''}`
  if (!key && (method === 'GET' || method === 'HEAD')) return [['s3:ListBucket', resource]]
  // The keys of a removal of many objects are in its body, which is not read here.
  if (!key && query.has('delete')) return []
  if (!key) return [['s3:CreateBucket', resource]]
  if (method === 'GET' || method === 'HEAD') return [['s3:GetObject', resource]]
  if (method === 'DELETE') return [[query.has('uploadId') ? 's3:AbortMultipartUpload' : 's3:DeleteObject', resource]]
  const source = copySource ? [['s3:GetObject', `arn:aws:s3:::${copySource.replace(/^\//, '')}`]] : []
  return [['s3:PutObject', resource], ...source]
}

/** The roles of an account: those that a stack made with policies, and others, which may do everything. */
export const createRoles = () => {
  const roles = new Map()
  const isAllowed = (arn, action, resource) => {
    const statements = roles.get(arn)
    if (!statements) return true
    const chosen = statements.filter(
      (statement) => matches(statement.Action, action) && matches(statement.Resource, resource),
    )
    return chosen.length > 0 && chosen.every(({ Effect }) => Effect === 'Allow')
  }
  /** Refuses what a role is not allowed. */
  const check = (arn, action, resource) => {
    if (isAllowed(arn, action, resource)) return
    const message = `User: ${arn} is not authorized to perform: ${action} on resource: ${resource}`
    throw serviceError('AccessDeniedException', message, 403)
  }
  return {
    set: (arn, policies = []) => {
      roles.set(
        arn,
        policies.flatMap(({ PolicyDocument }) => [PolicyDocument.Statement].flat()),
      )
    },
    remove: (arn) => roles.delete(arn),
    check,
    /** The first action of a request to S3 that a role is not allowed; undefined when it may go on. */
    deniedByS3: (arn, request) => s3Action(request).find(([action, resource]) => !isAllowed(arn, action, resource)),
  }
}

/** The parts of Lambda's context that the function uses. */
export interface LambdaContext {
  readonly awsRequestId: string
  getRemainingTimeInMillis(): number
}

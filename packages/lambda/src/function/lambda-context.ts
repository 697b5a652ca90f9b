/** The facts that the Lambda runtime passes about a call, as far as the function uses them. */
export interface LambdaContext {
  readonly awsRequestId: string
  getRemainingTimeInMillis(): number
}

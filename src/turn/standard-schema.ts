/** Standard Schema v1 (zod, valibot, arktype, …), so that no schema library is needed. https://standardschema.dev */

export interface StandardSchema<Output = unknown> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string }[] };

export type SchemaOutput<Schema> = Schema extends StandardSchema<infer Output> ? Output : never;

export type ToolSchemas = { readonly [tool: string]: StandardSchema };

// Package schema is the one adapter to the JSON Schema library. It accepts a
// service's schema for publication or says everything that speaks against it,
// validates items, finds the references that an item holds, and tells what a
// schema says: reference table, example, differences between two versions.
//
// Drafts 7 and 2020-12 are supported; without $schema a schema is 2020-12.
// Patterns are RE2. Only references within the schema are followed, and nothing
// is ever loaded. A property that is readOnly is set by the owner, so required
// does not demand it.
//
// These formats are asserted in both drafts: date, time, date-time, duration,
// period, email, hostname, ipv4, ipv6, uri, uri-reference, iri, iri-reference,
// uri-template, uuid, regex, json-pointer, relative-json-pointer and semver.
// Every other format is a remark for people; reference and reference_list are
// NetOrca's notation of references.
package schema

// Package spots is for people who study solved spots of no-limit hold'em.
//
// [Walk] leads a person through a solution from point to point.
package spots

// Package clients fails to compile if a generated client gets a type of the API wrong.
package clients

import (
	"time"

	"clients/oapicodegen"
	"clients/ogen"
)

var (
	_ = oapicodegen.Company{
		Address:            (*string)(nil),
		Name:               "",
		DefaultAmountCents: (*int64)(nil),
	}
	_ = oapicodegen.Transaction{
		Count:       int64(0),
		ProcessedAt: (*time.Time)(nil),
	}
	_ = oapicodegen.Error{Error: oapicodegen.ErrorDetail{RetryAfter: (*int32)(nil)}}
	_ = []oapicodegen.ErrorCode{oapicodegen.COMPANYNOTFOUND, oapicodegen.RATELIMITEXCEEDED}

	_ = ogen.Company{
		Address:            ogen.NilString{},
		Name:               "",
		DefaultAmountCents: ogen.NilInt64{},
	}
	_ = ogen.Transaction{
		Count:       int64(0),
		ProcessedAt: ogen.NilDateTime{},
	}
	_ = ogen.Error{Error: ogen.ErrorDetail{RetryAfter: ogen.OptInt32{}}}
	_ = []ogen.ErrorCode{ogen.ErrorCodeCOMPANYNOTFOUND, ogen.ErrorCodeRATELIMITEXCEEDED}
)

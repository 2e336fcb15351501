package client_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"time"

	"dispo/api/client"
)

func ExampleClient_Companies() {
	c, err := client.New(client.Config{
		BaseURL: os.Getenv("DISPO_URL"), // such as https://dispo.example/api
		Key:     os.Getenv("DISPO_KEY"),
		Paused: func(cause error, pause time.Duration) {
			log.Printf("%v; trying again in %s", cause, pause)
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	for company, err := range c.Companies(context.Background(), "") {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(company.CVR, company.Name, company.Status)
	}
}

func ExampleError() {
	c, err := client.New(client.Config{BaseURL: os.Getenv("DISPO_URL"), Key: os.Getenv("DISPO_KEY")})
	if err != nil {
		log.Fatal(err)
	}
	_, err = c.Company(context.Background(), "37065048")
	var problem *client.Error
	if errors.As(err, &problem) && problem.Code == client.CodeCompanyNotFound {
		fmt.Println(problem.Status, problem.Code)
	}
}

// This keeps a copy up to date, and learns of each change within a second.
func ExampleClient_Follow() {
	c, err := client.New(client.Config{BaseURL: os.Getenv("DISPO_URL"), Key: os.Getenv("DISPO_KEY")})
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(c.Follow(context.Background(), "dispo.sqlite", func(report client.Report) bool {
		fmt.Println(report.New, "new transactions,", report.Withdrawn, "withdrawn deliveries")
		return true
	}))
}
